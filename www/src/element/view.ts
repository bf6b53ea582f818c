/**
 * What the element looks like at any moment: the box, the list, the footer, the announcement. It takes states and
 * gives elements; it decides nothing.
 */

import type { Hit, ModelState } from "../types.js";
import { magnifier, make } from "./dom.js";
import { viewHit, type HitView, type Option } from "./hit-view.js";
import type { SessionState } from "./session.js";
import type { Strings } from "./strings.js";
import { styles } from "./styles.js";

/** Milliseconds before something is announced, so that typing does not make a screen reader stutter. */
const ANNOUNCE_MS = 500;

export class View {
  readonly shadow: ShadowRoot;
  readonly input = make("input", {
    part: "input",
    type: "text",
    inputmode: "search",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-expanded": "false",
    "aria-controls": "list",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    enterkeyhint: "search",
  });
  readonly list = make("div", { id: "list", role: "listbox", part: "list", class: "list" });
  readonly panel = make("div", { class: "panel", part: "panel", hidden: true });
  readonly #key = make("kbd", { "aria-hidden": "true", hidden: true });
  readonly #bar = make("div", { class: "bar", hidden: true });
  readonly #message = make("div", { class: "message", part: "status", hidden: true });
  readonly #summary = make("span", { part: "status" });
  readonly #footer = make("div", { class: "footer", part: "footer" });
  readonly #keys = make("span", { class: "keys", "aria-hidden": "true" });
  readonly #live = make("div", { class: "live", role: "status", "aria-live": "polite" });
  readonly #hits = new Map<Hit, HitView>();
  #shown: HitView[] = [];
  #announcement: ReturnType<typeof setTimeout> | undefined;
  /** What is to be announced: the latest about the search, and the latest about the model. */
  readonly #news = new Map<"search" | "model", string>();
  #announced: { outcome: unknown; model: ModelState } = { outcome: undefined, model: "none" };
  strings: Strings;
  /** Folder that relative addresses of hits start from. */
  root = "";

  constructor(shadow: ShadowRoot, strings: Strings) {
    this.shadow = shadow;
    this.strings = strings;
    shadow.adoptedStyleSheets = [styles()];
    this.#footer.append(this.#summary, this.#keys);
    this.panel.append(this.#bar, this.list, this.#message, this.#footer);
    shadow.append(make("div", { class: "box", part: "box" }, magnifier(), this.input, this.#key), this.panel, this.#live);
  }

  /** Everything that can be opened, from top to bottom. */
  get options(): Option[] {
    return this.#shown.flatMap(({ options }) => options);
  }

  /** The option that an event happened in. */
  optionAt(event: Event): Option | undefined {
    const path = event.composedPath();
    return this.options.find(({ element }) => path.includes(element));
  }

  /** Texts and the shortcut's name. */
  label(placeholder: string, shortcut: string | undefined, keys: string | undefined): void {
    this.input.placeholder = placeholder;
    this.input.setAttribute("aria-label", placeholder);
    this.list.setAttribute("aria-label", this.strings.results);
    this.#keys.textContent = this.strings.keys;
    if (keys) this.input.setAttribute("aria-keyshortcuts", keys);
    else this.input.removeAttribute("aria-keyshortcuts");
    this.#key.hidden = shortcut === undefined;
    this.#key.textContent = shortcut ?? "";
  }

  /** Shows the hits of `state`; elements of a hit that stays are kept as they are. */
  show(state: SessionState): void {
    this.#showHits(state);
    this.#showMessage(state);
    this.#summary.textContent = this.#summaryOf(state);
    this.#footer.hidden = state.hits.length === 0;
    this.#showBar(state);
    this.#announceOutcome(state);
    this.#announceModel(state);
  }

  /** Has all hits made anew when they are shown next: their texts have changed. */
  forget(): void {
    this.#hits.clear();
  }

  /** Opens or closes the list, and marks the active option. */
  select(expanded: boolean, active: string | undefined, scroll: boolean): void {
    if (this.panel.hidden === expanded) {
      this.panel.hidden = !expanded;
      if (expanded) this.#intoView();
    }
    this.input.setAttribute("aria-expanded", String(expanded && this.#shown.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    for (const { key, element } of this.options) {
      const selected = key === active;
      element.classList.toggle("active", selected);
      element.setAttribute("aria-selected", String(selected));
      if (!selected) continue;
      this.input.setAttribute("aria-activedescendant", element.id);
      if (scroll) element.scrollIntoView({ block: "nearest" });
    }
  }

  /** Stops what is still to come. */
  end(): void {
    clearTimeout(this.#announcement);
  }

  #showHits(state: SessionState): void {
    const views = state.hits.map((hit) => {
      const local = state.local.has(hit.path);
      return this.#hits.get(hit) ?? viewHit(hit, { root: this.root, local, strings: this.strings });
    });
    this.#hits.clear();
    for (const view of views) this.#hits.set(view.hit, view);
    const same = views.length === this.#shown.length && views.every((view, index) => view === this.#shown[index]);
    this.#shown = views;
    if (same) return;
    // Elements that stay in place are not touched: taking one out would take the pointer's hover with it.
    let next = this.list.firstChild;
    for (const { element } of views) {
      if (element === next) next = next.nextSibling;
      else this.list.insertBefore(element, next);
    }
    while (next) {
      const rest: ChildNode | null = next.nextSibling;
      next.remove();
      next = rest;
    }
  }

  #showMessage({ phase, query, hits, error }: SessionState): void {
    let text = "";
    if (error) text = this.strings.failed(error.message);
    else if (phase === "starting") text = this.strings.preparing;
    else if (phase === "done" && query && hits.length === 0) text = this.strings.nothing(query);
    this.#message.textContent = text;
    this.#message.hidden = text === "" || hits.length > 0;
    this.list.hidden = hits.length === 0;
  }

  #summaryOf({ response, hits, model, progress, rerank }: SessionState): string {
    if (!response) return "";
    const parts = [this.strings.shown(hits.length, Math.max(response.total, hits.length))];
    if (response.unmatchedPhrases) parts.push(this.strings.unmatched(response.unmatchedPhrases));
    const percent = progress?.stage === "download" && progress.total > 0 ? Math.floor((100 * progress.done) / progress.total) : undefined;
    if (response.mode !== "lexical") parts.push(this.strings.meaning);
    else if (model === "loading") parts.push(this.strings.loadingModel(percent));
    else if (model === "failed") parts.push(this.strings.modelFailed);
    const { loadingReranker, reranking, reranked, rerankFailed } = this.strings;
    const ofRerank = { loading: loadingReranker(percent), reading: reranking, done: reranked, failed: rerankFailed };
    if (rerank) parts.push(ofRerank[rerank]);
    return parts.join(" · ");
  }

  #showBar({ model, progress, rerank }: SessionState): void {
    this.#bar.hidden = (model !== "loading" && rerank !== "loading") || !progress;
    const done = progress && progress.total > 0 ? progress.done / progress.total : 1;
    this.#bar.style.setProperty("--_done", String(done));
  }

  /** A response or an error is announced once, however often its state is shown. */
  #announceOutcome({ phase, hits, query, response, error }: SessionState): void {
    const outcome = phase === "failed" ? error : phase === "done" ? response : undefined;
    if (!outcome || outcome === this.#announced.outcome) return;
    this.#announced.outcome = outcome;
    const total = Math.max(response?.total ?? 0, hits.length);
    const found = total === 0 ? this.strings.nothing(query) : this.strings.found(total);
    this.#announce("search", error ? this.strings.failed(error.message) : found);
  }

  #announceModel({ model }: SessionState): void {
    if (model === this.#announced.model) return;
    this.#announced.model = model;
    const { loadingModel, modelReady, modelFailed } = this.strings;
    if (model === "loading") this.#announce("model", loadingModel(undefined));
    if (model === "ready") this.#announce("model", modelReady);
    if (model === "failed") this.#announce("model", modelFailed);
  }

  /** Both kinds of news in one announcement: the second would cut the first one off. */
  #announce(about: "search" | "model", text: string): void {
    this.#news.set(about, text);
    clearTimeout(this.#announcement);
    this.#announcement = setTimeout(() => {
      this.#live.textContent = [...this.#news.values()].join("; ");
      this.#news.clear();
    }, ANNOUNCE_MS);
  }

  /** Moves a panel that is wider than its box back into the window. */
  #intoView(): void {
    this.panel.style.removeProperty("--_shift");
    const { left, right } = this.panel.getBoundingClientRect();
    const margin = 8;
    const over = right - (document.documentElement.clientWidth - margin);
    const shift = over > 0 ? -over : left < margin ? margin - left : 0;
    if (shift !== 0 && this.panel.offsetParent) this.panel.style.setProperty("--_shift", `${Math.round(shift)}px`);
  }
}
