/**
 * One reader's search: from what is typed to a list to show. It starts Querent on intent, searches as the reader
 * types, loads the model after the first results, and knows nothing of elements.
 */

import { Querent } from "../client.js";
import { QuerentError } from "../errors.js";
import type { Hit, ModelState, Progress, QuerentOptions, SearchMode, SearchOptions, SearchResponse } from "../types.js";
import { settle } from "./stability.js";

/** Milliseconds without a key before the query is embedded: half a slow typist's pause. */
const SEMANTIC_DELAY_MS = 150;
/** Milliseconds after focus at which the model is loaded although nothing was typed yet. */
const MODEL_DELAY_MS = 1500;
/** Milliseconds after a response at which it is loaded: files of the next key's response have the network first. */
const MODEL_QUIET_MS = 300;

/** Milliseconds without a key before a list is reranked: seconds of work that the next key would throw away. */
const RERANK_DELAY_MS = 400;

/** How the reranking of the shown list stands; nothing where none is under way. */
export type RerankState = "loading" | "reading" | "done" | "failed";

/** What there is to show. */
export interface SessionState {
  /** What the shown hits answer; empty when there is nothing to show. */
  query: string;
  phase: "idle" | "starting" | "searching" | "done" | "failed";
  hits: readonly Hit[];
  response: SearchResponse | undefined;
  error: QuerentError | undefined;
  model: ModelState;
  progress: Progress | undefined;
  rerank: RerankState | undefined;
  /** Paths of documents that the page added: they have no address. */
  local: ReadonlySet<string>;
}

/** How a session searches. */
export interface SessionSettings {
  options: QuerentOptions;
  mode: SearchMode;
  limit: number;
  explain: boolean;
  /** Whether the model may be loaded on intent. */
  semantic: boolean;
  /** Whether the table in the index embeds the query while there is no model. */
  table: boolean;
  /** Whether a list that has come to rest is reranked, and for how many milliseconds at most. */
  rerank: boolean | { budget: number };
  /** Path of the document that the reader is at in the list. See `stability.ts`. */
  held: () => string | undefined;
  onState: (state: SessionState) => void;
}

const IDLE: SessionState = {
  query: "",
  phase: "idle",
  hits: [],
  response: undefined,
  error: undefined,
  model: "none",
  progress: undefined,
  rerank: undefined,
  local: new Set(),
};

export class Session {
  readonly #settings: SessionSettings;
  #state = IDLE;
  /** What stands in the box, while the list still answers what stood there before. */
  #typed = "";
  #querent: Promise<Querent> | undefined;
  #running: AbortController | undefined;
  #modelTimer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  #cannotRerank = false;

  constructor(settings: SessionSettings) {
    this.#settings = settings;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The Querent behind the box, started if it was not. */
  querent(): Promise<Querent> {
    this.#querent ??= this.#start();
    return this.#querent;
  }

  /** The reader means to search: starts what that needs. */
  intend(): void {
    if (this.#querent) return;
    this.querent().catch(() => undefined);
    this.#loadModelIn(MODEL_DELAY_MS);
  }

  /** Searches for what stands in the box now. */
  type(text: string): void {
    const query = (this.#typed = text.trim());
    this.#running?.abort();
    clearTimeout(this.#modelTimer);
    if (query) return void this.#search(query);
    this.#set({ query: "", phase: "idle", hits: [], response: undefined, error: undefined });
  }

  /** Ends everything. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#modelTimer);
    this.#running?.abort();
    this.#querent?.then((querent) => querent.destroy()).catch(() => undefined);
  }

  async #start(): Promise<Querent> {
    try {
      const querent = await Querent.init(this.#settings.options);
      if (this.#ended) {
        await querent.destroy();
        return querent;
      }
      querent.subscribe((event) => {
        if (event.type === "model") this.#set({ model: event.state });
        if (event.type === "changed") void this.#changed(querent);
      });
      this.#set({ model: querent.modelState });
      return querent;
    } catch (thrown) {
      this.#querent = undefined;
      throw thrown;
    }
  }

  async #changed(querent: Querent): Promise<void> {
    const documents = await querent.documents().catch(() => []);
    this.#set({ local: new Set(documents.map(({ path }) => path)) });
    if (this.#typed) await this.#search(this.#typed);
  }

  async #search(query: string): Promise<void> {
    this.#running?.abort();
    const { signal } = (this.#running = new AbortController());
    this.#set({ phase: this.#querent ? "searching" : "starting", error: undefined, rerank: undefined });
    try {
      const querent = await this.querent();
      if (signal.aborted) return;
      const { mode, limit, explain, table } = this.#settings;
      const options: SearchOptions = { mode, limit, explain, signal, semanticDelay: SEMANTIC_DELAY_MS };
      if (table && !savesData()) options.queryEncoder = "table";
      options.onUpdate = (response) => !signal.aborted && this.#show(response, "searching");
      this.#show(await querent.search(query, options), "done");
      this.#loadModelIn(MODEL_QUIET_MS);
      await this.#rerank(querent, query, options);
    } catch (thrown) {
      const error = QuerentError.from(thrown);
      if (signal.aborted || this.#ended || error.code === "aborted") return;
      this.#set({ query, phase: "failed", hits: [], response: undefined, error });
    }
  }

  /** Has the shown list read by the cross-encoder. Its failure costs the order, not the list. */
  async #rerank(querent: Querent, query: string, { onUpdate: _, ...options }: SearchOptions): Promise<void> {
    const { signal } = options;
    if (!this.#mayRerank(querent) || this.#state.hits.length < 2) return;
    await new Promise((resolve) => setTimeout(resolve, RERANK_DELAY_MS));
    if (signal?.aborted) return;
    let isRead = false;
    const onProgress = (progress: Progress) => {
      isRead ||= progress.stage === "rerank" && progress.done > 0;
      if (!signal?.aborted) this.#reranking(progress);
    };
    this.#set({ rerank: "reading" });
    try {
      this.#show(await querent.search(query, { ...options, rerank: this.#settings.rerank, onProgress }), "done");
      // Nothing was read where the time was too short: the order is the one before.
      this.#set({ rerank: isRead ? "done" : undefined });
    } catch (thrown) {
      const error = QuerentError.from(thrown);
      if (signal?.aborted || this.#ended || error.code === "aborted") return;
      this.#cannotRerank = true;
      console.warn(`querent-search: the results are not reranked: ${error.message}`);
      this.#set({ rerank: "failed", progress: undefined });
    }
  }

  #reranking(progress: Progress): void {
    const isReading = progress.stage === "rerank";
    this.#set({ rerank: isReading ? "reading" : "loading", progress: isReading ? undefined : progress });
  }

  /** Not while the embedding model is still to come: its list would replace the reranked one. */
  #mayRerank({ modelState }: Querent): boolean {
    if (!this.#settings.rerank || this.#cannotRerank || savesData()) return false;
    return !(this.#mayLoadModel() && (modelState === "idle" || modelState === "loading"));
  }

  #show(response: SearchResponse, phase: "searching" | "done"): void {
    const hits = settle(this.#state.hits, response.hits, this.#settings.held());
    this.#set({ query: response.query, phase, hits, response });
  }

  #mayLoadModel(): boolean {
    const { semantic, mode } = this.#settings;
    return semantic && mode !== "lexical" && !savesData();
  }

  #loadModelIn(milliseconds: number): void {
    clearTimeout(this.#modelTimer);
    if (this.#mayLoadModel() && !this.#ended) this.#modelTimer = setTimeout(() => void this.#loadModel(), milliseconds);
  }

  async #loadModel(): Promise<void> {
    if (this.#ended) return;
    try {
      const querent = await this.querent();
      if (querent.modelState !== "idle") return;
      await querent.loadModel({ onProgress: (progress) => this.#set({ progress }) });
    } catch {
      // The state `failed` is shown; lexical search goes on.
    }
    this.#set({ progress: undefined });
  }

  #set(change: Partial<SessionState>): void {
    if (this.#ended) return;
    this.#state = { ...this.#state, ...change };
    this.#settings.onState(this.#state);
  }
}

/** Whether the reader has asked sites to save data. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
