/** What the pane looks like at any moment: the button, the answer, its sources, the announcement. It decides nothing. */

import { make } from "../element/dom.js";
import type { AskStrings } from "../element/strings.js";
import type { Answer, AnswerSource } from "../types.js";
import { answerNodes, sourceItem } from "./answer-text.js";
import { paneStyles } from "./pane-styles.js";

export class PaneView {
  readonly button = make("button", { type: "button", class: "ask-button", part: "ask-button", "aria-keyshortcuts": "Shift+Enter" });
  readonly cancel = make("button", { type: "button", class: "ask-cancel", part: "ask-cancel" });
  readonly pane = make("div", { class: "ask", part: "ask", hidden: true });
  readonly #label = make("b");
  readonly #question = make("span", { dir: "auto" });
  readonly #keys = make("kbd", { "aria-hidden": "true" });
  readonly #status = make("span", { part: "answer-status" });
  readonly #text = make("div", { class: "answer-text", part: "answer-text", dir: "auto", tabindex: "-1" });
  readonly #note = make("p", { class: "answer-note", part: "answer-note", hidden: true });
  readonly #list = make("ol", { part: "answer-sources", hidden: true });
  readonly #answer = make("div", { class: "answer", part: "answer", role: "region", hidden: true });
  readonly #live = make("div", { class: "live", role: "status", "aria-live": "polite" });
  readonly #shadow: ShadowRoot;
  #words = "";
  #sources: readonly AnswerSource[] = [];
  strings: AskStrings;
  /** Folder that relative addresses of sources start from. */
  root = "";

  constructor(shadow: ShadowRoot, panel: HTMLElement, strings: AskStrings) {
    this.#shadow = shadow;
    this.strings = strings;
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, paneStyles()];
    this.button.append(this.#label, this.#question, this.#keys);
    this.#answer.append(make("div", { class: "answer-label" }, this.#status, this.cancel), this.#text, this.#note, this.#list);
    this.pane.append(this.button, this.#answer);
    // Text of an answer can be marked and copied, which the panel forbids for its hits.
    this.#answer.addEventListener("mousedown", (event) => event.stopPropagation());
    panel.insertBefore(this.pane, panel.children[1] ?? null);
    shadow.append(this.#live);
  }

  /** Takes everything back. */
  remove(): void {
    this.pane.remove();
    this.#live.remove();
    this.#shadow.adoptedStyleSheets = this.#shadow.adoptedStyleSheets.filter((sheet) => sheet !== paneStyles());
  }

  /** Shows what can be asked; nothing hides the pane. */
  offer(question: string): void {
    this.pane.hidden = question === "";
    this.#label.textContent = `${this.strings.ask}:`;
    this.#question.textContent = question;
    this.#keys.textContent = this.strings.askKeys;
    this.cancel.textContent = this.strings.cancel;
    this.#answer.setAttribute("aria-label", this.strings.ask);
  }

  /** Hides the answer. */
  clear(): void {
    this.#set("", [], "");
    this.#live.textContent = "";
    this.#answer.hidden = true;
    this.#busy(false);
  }

  /** The question is on its way. */
  begin(): void {
    this.#set("", [], this.strings.asking);
    this.#answer.hidden = false;
    this.#busy(true);
    this.#live.textContent = this.strings.asking;
  }

  /** The passages are there, the model has them. */
  read(sources: readonly AnswerSource[]): void {
    this.#sources = sources;
    this.#status.textContent = this.strings.reading(sources.length);
  }

  /** More words have come. */
  say(words: string): void {
    this.#words += words;
    this.#status.textContent = this.strings.answerBy;
    this.#text.replaceChildren(...answerNodes(this.#words, this.#sources, this.root));
  }

  /** The answer is there. */
  finish(answer: Answer): void {
    const { strings } = this;
    const { answer: text = "", sources, citations, invented, saysNothing, isCut } = answer;
    this.#busy(false);
    this.#sources = sources;
    this.#status.textContent = strings.answerBy;
    this.#text.replaceChildren(...answerNodes(text, sources, this.root));
    const isUncited = !saysNothing && citations.length === 0;
    const notes = [
      ...(saysNothing ? [strings.silent] : []),
      ...(isCut ? [strings.cut] : []),
      ...(invented.length > 0 ? [strings.invented(invented)] : []),
      ...(isUncited ? [strings.uncited] : []),
    ];
    this.#tell(notes.join(" "));
    const shown = saysNothing ? [] : sources.filter(({ number }) => isUncited || citations.includes(number));
    this.#list.setAttribute("aria-label", strings.sources);
    this.#list.replaceChildren(...shown.map((source) => sourceItem(source, this.root)));
    this.#list.hidden = shown.length === 0;
    this.#live.textContent = [text, ...notes].join(" ");
  }

  /** There is no answer, or no more of it. */
  fail(reason: string): void {
    this.#busy(false);
    this.#status.textContent = this.#words ? this.strings.answerBy : "";
    this.#tell(reason);
    this.#live.textContent = reason;
  }

  #set(words: string, sources: readonly AnswerSource[], status: string): void {
    this.#words = words;
    this.#sources = sources;
    this.#status.textContent = status;
    this.#text.replaceChildren(words);
    this.#list.hidden = true;
    this.#tell("");
  }

  #tell(note: string): void {
    this.#note.textContent = note;
    this.#note.hidden = note === "";
  }

  #busy(isBusy: boolean): void {
    this.pane.classList.toggle("busy", isBusy);
    this.#text.setAttribute("aria-busy", String(isBusy));
    // The focus must not fall out of the panel, which would close: a disabled button gives it up, as a hidden one does.
    if (!isBusy && this.#shadow.activeElement === this.cancel) this.button.focus();
    this.cancel.hidden = !isBusy;
    this.button.setAttribute("aria-disabled", String(isBusy));
  }
}
