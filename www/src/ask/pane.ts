/**
 * The pane of the search box: asks what stands in the box when the reader wants it, and never by itself. Questions cost
 * the site's owner money, and they leave the reader's browser.
 */

import { QuerentError } from "../errors.js";
import type { AskStrings, Strings } from "../element/strings.js";
import type { Answer, AskOptions } from "../types.js";
import { PaneView } from "./pane-view.js";
import { ASK_ENGLISH } from "./strings.js";

/** Where a pane stands, and whom it asks. */
export interface PaneContext {
  shadow: ShadowRoot;
  panel: HTMLElement;
  strings: Partial<Strings>;
  /** Folder that relative addresses of sources start from. */
  root: string;
  ask: (question: string, options: AskOptions) => Promise<Answer>;
  /** Told what came of a question. */
  tell: (name: "querent-answer" | "querent-error", detail: Answer | QuerentError) => void;
}

export class AskPane {
  readonly #context: PaneContext;
  readonly #view: PaneView;
  #question = "";
  #running: AbortController | undefined;

  constructor(context: PaneContext) {
    this.#context = context;
    this.#view = new PaneView(context.shadow, context.panel, stringsOf(context.strings));
    this.#view.root = context.root;
    this.#view.button.addEventListener("click", () => void this.#ask());
    this.#view.cancel.addEventListener("click", () => this.#cancel());
    this.#view.pane.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#running) return;
      event.stopPropagation();
      this.#cancel();
    });
  }

  /** What stands in the box now: another question ends the one before. */
  typed(text: string): void {
    const question = text.trim();
    if (question !== this.#question) {
      this.#running?.abort();
      this.#running = undefined;
      this.#view.clear();
    }
    this.#question = question;
    this.#view.offer(question);
  }

  /** Takes a key that was pressed in the box; true when it was the pane's. */
  pressed({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
    if (isComposing || ctrlKey || metaKey || altKey) return false;
    if (key === "Escape" && this.#running) {
      this.#cancel();
      return true;
    }
    if (key !== "Enter" || !shiftKey || !this.#question) return false;
    void this.#ask();
    return true;
  }

  /** Texts in another language, and another root. */
  label(strings: Partial<Strings>, root: string): void {
    this.#view.strings = stringsOf(strings);
    this.#view.root = root;
    this.#view.offer(this.#question);
  }

  /** Ends everything and takes the pane out of the panel. */
  end(): void {
    this.#running?.abort();
    this.#view.remove();
  }

  async #ask(): Promise<void> {
    if (this.#running || !this.#question) return;
    const running = (this.#running = new AbortController());
    const { signal } = running;
    const ifWanted = <T>(show: (value: T) => void) => (value: T) => !signal.aborted && show(value);
    this.#view.begin();
    try {
      const answer = await this.#context.ask(this.#question, {
        signal,
        onSources: ifWanted((sources) => this.#view.read(sources)),
        onText: ifWanted((words) => this.#view.say(words)),
      });
      if (signal.aborted) return;
      this.#view.finish(answer);
      this.#context.tell("querent-answer", answer);
    } catch (thrown) {
      if (signal.aborted) return;
      this.#failed(QuerentError.from(thrown));
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  #failed(error: QuerentError): void {
    const { askFailed, reasons } = this.#view.strings;
    this.#view.fail(askFailed(reasons[error.code] ?? error.message));
    console.warn(`querent-search: ${error.code}: ${error.message}`);
    this.#context.tell("querent-error", error);
  }

  #cancel(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#view.fail(this.#view.strings.cancelled);
  }
}

function stringsOf(strings: Partial<Strings>): AskStrings {
  return { ...ASK_ENGLISH, ...strings };
}
