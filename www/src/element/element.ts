/**
 * `<querent-search>`: a search box with its list of results.
 *
 * The element ties three parts together: `Session` searches, `Combobox` knows what a key does, `View` shows. It
 * forwards events between them and gives everything back when it is taken out of the page.
 */

import type { AskPane } from "../ask/pane.js";
import { askScript, type Querent } from "../client.js";
import { QuerentError } from "../errors.js";
import type { Answer, AskEndpoint, AskHeaders, Hit, QuerentOptions, SearchMode, SearchResponse } from "../types.js";
import { SCRIPT_FOLDER } from "../assets.js";
import { Combobox } from "./combobox.js";
import type { Option } from "./hit-view.js";
import { Session, type SessionState } from "./session.js";
import { isShortcut, shortcutKeys, shortcutName } from "./shortcut.js";
import { ENGLISH, type Strings } from "./strings.js";
import { View } from "./view.js";

/** Attributes whose change needs another session. */
const SESSION_ATTRIBUTES = ["src", "base", "mode", "limit", "no-semantic", "query-encoder", "rerank", "explain", "database"];

/**
 * Attributes: `src` (folder of the index), `root` (folder that relative addresses of hits start from; default the
 * one above the index), `placeholder`, `mode`, `limit`, `no-semantic`, `query-encoder` (`both`, `model`,
 * `table`), `rerank` (have the list read by the cross-encoder; its value: milliseconds at most), `shortcut` (`mod+k`, `/`, `none`),
 * `inline` (results in the flow of the page), `explain`, `database`; `ask-url` and `ask-model` (a server with OpenAI's
 * chat API: the box then offers to ask it).
 *
 * Events, all bubbling: `querent-results` (a `SearchResponse`), `querent-select` (a `Hit`; `preventDefault()`
 * keeps it from being opened), `querent-answer` (an `Answer`), `querent-error` (a `QuerentError`).
 */
export class QuerentSearch extends HTMLElement {
  static readonly observedAttributes = [...SESSION_ATTRIBUTES, "placeholder", "shortcut", "root", "ask-url", "ask-model"];

  readonly #view: View;
  readonly #combobox = new Combobox();
  #session: Session | undefined;
  #life: AbortController | undefined;
  #pointed: string | undefined;
  #told: SearchResponse | QuerentError | undefined;
  #pane: AskPane | undefined;
  /** Which pane is wanted: it may be on its way. */
  #wantedPane: object | undefined;

  /** Headers of requests to `ask-url`, for instance with a token of the reader's session. A page must not hold a key. */
  askHeaders: AskHeaders | undefined;
  /** More about how to ask than the attributes say: temperature, maxTokens, timeout. */
  askSettings: Partial<AskEndpoint> | undefined;

  constructor() {
    super();
    this.#view = new View(this.attachShadow({ mode: "open", delegatesFocus: true }), ENGLISH);
  }

  /** The Querent behind the box: add documents to it, load its model. */
  get querent(): Promise<Querent> {
    return this.#ensureSession().querent();
  }

  /** What stands in the box. Setting it searches. */
  get value(): string {
    return this.#view.input.value;
  }
  set value(text: string) {
    this.#view.input.value = text;
    this.#typed();
  }

  /** Texts in another language. */
  set strings(strings: Partial<Strings>) {
    this.#view.strings = { ...ENGLISH, ...strings };
    this.#label();
    this.#view.forget();
    if (this.#session) this.#show(this.#session.state);
  }

  connectedCallback(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const { input, list, panel } = this.#view;
    input.addEventListener("input", () => this.#typed(), { signal });
    input.addEventListener("focus", () => this.#focused(), { signal });
    input.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    list.addEventListener("pointermove", (event) => (this.#pointed = this.#view.optionAt(event)?.hit.path), { signal });
    list.addEventListener("pointerleave", () => (this.#pointed = undefined), { signal });
    list.addEventListener("click", (event) => this.#clicked(event), { signal });
    // A press into the panel must not take the focus from the box; text in it stays selectable by keyboard.
    panel.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
    this.addEventListener("focusout", () => this.#left(), { signal });
    document.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.#label();
  }

  disconnectedCallback(): void {
    this.#life?.abort();
    this.#life = undefined;
    this.#endSession();
    this.#endPane();
    this.#view.end();
  }

  attributeChangedCallback(name: string): void {
    if (!this.#life) return;
    if (name.startsWith("ask-")) this.#endPane();
    this.#label();
    if (!SESSION_ATTRIBUTES.includes(name) || !this.#session) return;
    this.#endSession();
    this.#typed();
  }

  override focus(options?: FocusOptions): void {
    this.#view.input.focus(options);
  }

  #label(): void {
    const placeholder = this.getAttribute("placeholder") ?? this.#view.strings.placeholder;
    const shortcut = this.getAttribute("shortcut");
    this.#view.label(placeholder, shortcutName(shortcut), shortcutKeys(shortcut));
    const folder = new URL("..", this.#base());
    this.#view.root = new URL(this.getAttribute("root") ?? folder, document.baseURI).href;
    this.#pane?.label(this.#view.strings, this.#view.root);
  }

  #base(): URL {
    const base = new URL(this.getAttribute("src") ?? this.getAttribute("base") ?? SCRIPT_FOLDER, document.baseURI);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    return base;
  }

  #ensureSession(): Session {
    const encoder = this.getAttribute("query-encoder") ?? "both";
    this.#session ??= new Session({
      options: this.#options(),
      mode: modeOf(this.getAttribute("mode")),
      limit: limitOf(this.getAttribute("limit")),
      explain: this.hasAttribute("explain"),
      semantic: !this.hasAttribute("no-semantic") && encoder !== "table",
      table: !this.hasAttribute("no-semantic") && (encoder === "table" || encoder === "both"),
      rerank: rerankOf(this.getAttribute("rerank")),
      held: () => this.#held(),
      onState: (state) => this.#show(state),
    });
    return this.#session;
  }

  #options(): QuerentOptions {
    const database = this.getAttribute("database");
    return { url: this.#base(), ...(database ? { database } : {}) };
  }

  #endSession(): void {
    this.#session?.end();
    this.#session = undefined;
    this.#combobox.close();
    this.#select(false);
  }

  /** Path of the document that the reader is at: where the pointer was moved, or where the keys have gone. */
  #held(): string | undefined {
    const { active } = this.#combobox;
    return this.#pointed ?? this.#view.options.find(({ key }) => key === active)?.hit.path;
  }

  #focused(): void {
    this.#ensureSession().intend();
    void this.#ensurePane();
    if (!this.value.trim()) return;
    this.#combobox.open();
    this.#select(false);
  }

  #typed(): void {
    this.#combobox.release();
    this.#pointed = undefined;
    if (this.value.trim()) this.#combobox.open();
    else this.#combobox.close();
    this.#ensureSession().type(this.value);
    this.#pane?.typed(this.value);
    void this.#ensurePane();
    this.#select(false);
  }

  /** The pane that asks, where the page's owner has said whom: nothing of it is loaded otherwise. */
  async #ensurePane(): Promise<void> {
    const url = this.getAttribute("ask-url");
    const model = this.getAttribute("ask-model");
    if (!url || !model || this.#wantedPane) return;
    const wanted = (this.#wantedPane = {});
    try {
      const { AskPane } = await askScript();
      if (wanted !== this.#wantedPane) return;
      this.#pane = new AskPane({
        shadow: this.#view.shadow,
        panel: this.#view.panel,
        strings: this.#view.strings,
        root: this.#view.root,
        ask: async (question, options) => {
          const endpoint = { ...this.askSettings, url, model, headers: this.askHeaders };
          return await (await this.querent).ask(question, { ...options, mode: modeOf(this.getAttribute("mode")), endpoint });
        },
        tell: (name, detail) => this.#tell(name, detail, false),
      });
      this.#pane.typed(this.value);
    } catch (thrown) {
      // Offline, perhaps: the next key tries again.
      if (wanted === this.#wantedPane) this.#wantedPane = undefined;
      console.warn(`querent-search: ${QuerentError.from(thrown).message}`);
    }
  }

  #endPane(): void {
    this.#pane?.end();
    this.#pane = undefined;
    this.#wantedPane = undefined;
  }

  #left(): void {
    if (this.hasAttribute("inline")) this.#combobox.release();
    else this.#combobox.close();
    this.#select(false);
  }

  #pressed(event: KeyboardEvent): void {
    if (this.#pane?.pressed(event)) return event.preventDefault();
    const action = this.#combobox.press(event, this.value === "");
    if (action.type === "none") return;
    event.preventDefault();
    if (action.type === "open") return this.#openByKey(action.option, action.newTab);
    if (action.type === "clear") return void (this.value = "");
    this.#pointed = undefined;
    this.#select(true);
  }

  #openByKey(key: string, newTab: boolean): void {
    const option = this.#view.options.find((candidate) => candidate.key === key);
    if (!option || !this.#tell("querent-select", option.hit, true)) return;
    if (!(option.element instanceof HTMLAnchorElement)) return;
    if (newTab) window.open(option.element.href, "_blank", "noopener");
    else location.assign(option.element.href);
    this.#opened();
  }

  #clicked(event: MouseEvent): void {
    const option: Option | undefined = this.#view.optionAt(event);
    if (!option) return;
    if (!this.#tell("querent-select", option.hit, true)) event.preventDefault();
    else if (!event.ctrlKey && !event.metaKey && !event.shiftKey) this.#opened();
  }

  /** The reader may have gone to another place of the same document, so the list must not stay in the way. */
  #opened(): void {
    if (this.hasAttribute("inline")) return;
    this.#combobox.close();
    this.#select(false);
  }

  #shortcut(event: KeyboardEvent): void {
    if (!isShortcut(event, this.getAttribute("shortcut"), this)) return;
    event.preventDefault();
    this.#view.input.focus();
    this.#view.input.select();
  }

  #show(state: SessionState): void {
    this.#view.show(state);
    this.#combobox.setOptions(this.#view.options.map(({ key }) => key));
    this.#select(false);
    const news = state.error ?? state.response;
    if (!news || news === this.#told) return;
    this.#told = news;
    if (state.error) this.#tell("querent-error", state.error, false);
    else if (state.response) this.#tell("querent-results", state.response, false);
  }

  #select(scroll: boolean): void {
    const { phase, hits, query } = this.#session?.state ?? { phase: "idle", hits: [], query: "" };
    const something = hits.length > 0 || phase === "starting" || phase === "failed" || (phase === "done" && query !== "");
    this.#view.select(this.#combobox.expanded && something, this.#combobox.active, scroll);
  }

  #tell(name: string, detail: SearchResponse | QuerentError | Hit | Answer, cancelable: boolean): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }));
  }
}

function modeOf(attribute: string | null): SearchMode {
  return attribute === "lexical" || attribute === "semantic" ? attribute : "hybrid";
}

function rerankOf(attribute: string | null): boolean | { budget: number } {
  const budget = Number.parseInt(attribute ?? "", 10);
  return budget > 0 ? { budget } : attribute !== null;
}

function limitOf(attribute: string | null): number {
  const limit = Number.parseInt(attribute ?? "", 10);
  return Number.isFinite(limit) ? Math.min(Math.max(limit, 1), 1000) : 10;
}

/** Makes `<querent-search>` known to the page; a second copy of the script does no harm. */
export function register(): void {
  if (!customElements.get("querent-search")) customElements.define("querent-search", QuerentSearch);
}
