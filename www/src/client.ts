/**
 * The JavaScript API: `Querent.init`, then `search`, `addDocuments` and the rest. Nothing here computes; the
 * host does, behind the link.
 */

import { askUrl, SCRIPT_FOLDER } from "./assets.js";
import { QuerentError, throwIfAborted } from "./errors.js";
import { browserStart, Link, type Start } from "./link.js";
import type { HostOptions } from "./protocol.js";
import type {
  AddResult,
  Answer,
  AskEndpoint,
  AskOptions,
  DocumentInput,
  LocalDocument,
  ModelState,
  Progress,
  QuerentEvent,
  QuerentOptions,
  QuerentStats,
  RerankOptions,
  RerankRequest,
  SearchOptions,
  SearchRequest,
  SearchResponse,
} from "./types.js";

/** Milliseconds of reranking where nothing is said. */
const RERANK_BUDGET_MS = 2000;
/** Documents that give passages where nothing is said: more than the budget lasts for, few enough to fetch their texts. */
const RERANK_CANDIDATES = 20;

/** Search over one index and the documents that the page adds. */
export class Querent {
  readonly #link: Link;
  readonly #listeners = new Set<(event: QuerentEvent) => void>();
  #modelState: ModelState = "none";
  #wantsModel = false;
  readonly #rerankBudget: number;
  readonly #endpoint: AskEndpoint | undefined;

  private constructor(options: QuerentOptions, start: Start) {
    this.#endpoint = options.endpoint;
    this.#rerankBudget = options.rerank?.budget ?? RERANK_BUDGET_MS;
    const patience = Math.max(1000, options.patience ?? 20_000);
    this.#link = new Link({ host: hostOptions(options), start, patience, onEvent: (event) => this.#dispatch(event) });
  }

  /**
   * Starts the worker, and resolves when the index is mounted and can be searched.
   *
   * @throws `fetch` when a file cannot be had, `manifest` or `version` when the index is not one of this release
   */
  static async init(options: QuerentOptions = {}): Promise<Querent> {
    return await Querent.start(options, browserStart(options.worker !== false));
  }

  /** As {@link init}, with a host of the caller's: for tests. */
  static async start(options: QuerentOptions, start: Start): Promise<Querent> {
    const querent = new Querent(options, start);
    try {
      querent.#modelState = (await querent.#link.ready()).modelState;
      return querent;
    } catch (thrown) {
      await querent.destroy();
      throw QuerentError.from(thrown);
    }
  }

  /** How the embedding model stands. */
  get modelState(): ModelState {
    return this.#modelState;
  }

  /**
   * Searches, and resolves with the best response that can be had now.
   *
   * With `onUpdate` and a model that is ready, the lexical response is handed over first and the promise
   * resolves with the fused one. Without a model that is ready, `hybrid` is lexical: call {@link loadModel}
   * when the reader means to search, or ask for `queryEncoder: "table"`, which embeds the query without it until it is ready.
   * The mode `semantic` loads the model by itself, unless it has the table. With `rerank`, the response
   * that would have been the last goes to `onUpdate`, and the promise resolves with the reranked one.
   *
   * @throws `aborted` after `signal`; what the engine finds wrong
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResponse> {
    const { rerank, ...rest } = options;
    if (!rerank) return await this.#fused(query, rest);
    const fused = await this.#fused(query, rest);
    rest.onUpdate?.(fused);
    throwIfAborted(rest.signal);
    return await this.#reranked(fused, rest, rerank === true ? {} : rerank);
  }

  /**
   * Answers a question from the index by the site owner's language model, with citations that were checked. Nothing is
   * sent where no endpoint is configured: the sources that an answer would be made from are found, and there is no
   * `answer`. The words of the answer go to `onText` as they come.
   *
   * @throws `aborted` after `signal`; `network`, `timeout`, `endpoint`, `busy`, `cut`, `no-answer`, see the guide; what a
   * search throws
   */
  async ask(question: string, options: AskOptions = {}): Promise<Answer> {
    try {
      const { ask } = await askScript();
      throwIfAborted(options.signal);
      const endpoint = options.endpoint ?? this.#endpoint;
      return await ask((query, asked) => this.#fused(query, asked), question, { ...options, endpoint });
    } catch (thrown) {
      throw QuerentError.from(thrown);
    }
  }

  async #reranked(fused: SearchResponse, options: SearchOptions, rerank: RerankOptions): Promise<SearchResponse> {
    const { onUpdate: _, signal, semanticDelay: __, rerank: ___, onProgress, ...settings } = options;
    const { budget = this.#rerankBudget, ...asked } = rerank;
    const request = { ...settings, query: fused.query, mode: fused.mode, rerank: { candidates: RERANK_CANDIDATES, ...asked } };
    const semantic = fused.mode !== "lexical" && fused.queryEncoder !== "table";
    return await this.#link.call("rerank", { request, semantic, budget }, { signal, onProgress });
  }

  async #fused(query: string, options: PassageOptions): Promise<SearchResponse> {
    const { onUpdate, signal, semanticDelay = 0, onProgress: _, ...settings } = options;
    const request: SearchRequest = { ...settings, query };
    const mode = request.mode ?? "hybrid";
    const ask = (asked: SearchRequest, semantic: boolean) => this.#link.call("search", { request: asked, semantic }, { signal });
    const ready = this.#modelState === "ready";
    const byTable = !ready && settings.queryEncoder === "table" && this.#modelState !== "none";
    if (mode === "semantic") return await ask(request, !byTable);
    const lexical = () => ask({ ...request, mode: "lexical" }, false);
    if (mode === "lexical" || !(ready || byTable)) return await lexical();
    const first = onUpdate && (await lexical());
    if (first) {
      onUpdate(first);
      await pause(semanticDelay);
      throwIfAborted(signal);
    }
    try {
      return await ask(request, ready);
    } catch (thrown) {
      // Offline, the table and the vectors may be missing where the files of a lexical search are kept.
      if (ready || QuerentError.from(thrown).code !== "fetch") throw thrown;
      return first ?? (await lexical());
    }
  }

  /**
   * Adds documents, one after the other; a path that is already there is replaced. They are kept in IndexedDB
   * and found again after a reload. A file that cannot be read is reported in its place and stops nothing.
   */
  async addDocuments(
    inputs: Iterable<DocumentInput>,
    options: { onProgress?: (path: string, progress: Progress) => void } = {},
  ): Promise<AddResult[]> {
    // Asks the browser not to evict the database under pressure. It may say no; nothing depends on it.
    void globalThis.navigator?.storage?.persist?.().catch(() => false);
    const results: AddResult[] = [];
    for (const input of inputs) {
      const path = pathOf(input);
      try {
        const bytes = await bytesOf(input);
        const onProgress = (progress: Progress) => options.onProgress?.(path, progress);
        results.push({ path, document: await this.#link.call("addDocument", { path, bytes }, { onProgress }) });
      } catch (thrown) {
        results.push({ path, error: QuerentError.from(thrown) });
      }
    }
    return results;
  }

  /** Forgets an added document. Resolves to whether it was there. */
  removeDocument(path: string): Promise<boolean> {
    return this.#link.call("removeDocument", { path });
  }

  /** The documents that were added, in the order of their adding. */
  documents(): Promise<LocalDocument[]> {
    return this.#link.call("documents", undefined);
  }

  /** The bytes that were added under a path, where the browser could keep them. */
  original(path: string): Promise<Uint8Array | undefined> {
    return this.#link.call("original", { path });
  }

  /** What the index holds, and where it is kept. */
  stats(): Promise<QuerentStats> {
    return this.#link.call("stats", undefined);
  }

  /**
   * Loads the embedding model (some 20 MB, once per browser), so that searches become semantic. Nothing else
   * loads it, except a search in the mode `semantic`.
   *
   * @throws `no-model` when the index has no vectors; `model-mismatch`, `fetch`, `checksum`
   */
  async loadModel(options: { onProgress?: (progress: Progress) => void } = {}): Promise<void> {
    this.#wantsModel = true;
    this.#modelState = await this.#link.call("loadModel", undefined, options);
  }

  /** Keeps every file of the index in the browser, so that any query works offline. Resolves to the bytes. */
  download(options: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {}): Promise<number> {
    return this.#link.call("download", undefined, options);
  }

  /** Calls `listener` on every event until the returned function is called. */
  subscribe(listener: (event: QuerentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Ends the worker. Everything pending is rejected with `destroyed`. Stored documents stay, unless `forget` asks
   * for everything that this browser keeps to be deleted.
   */
  async destroy(options: { forget?: boolean } = {}): Promise<void> {
    this.#listeners.clear();
    try {
      if (options.forget) await this.#link.call("forget", undefined);
    } finally {
      this.#link.close();
    }
  }

  #dispatch(event: QuerentEvent): void {
    if (event.type === "model") this.#modelState = event.state;
    if (event.type === "restarted") this.#restarted();
    for (const listener of this.#listeners) listener(event);
  }

  /** A new host has no model; the weights are in the database, so loading them again is cheap. */
  #restarted(): void {
    if (this.#modelState !== "none") this.#modelState = "idle";
    if (this.#wantsModel) this.loadModel().catch(() => undefined);
  }
}

/**
 * Options of a search that may name passages, without having them scored.
 *
 * @internal
 */
export interface PassageOptions extends Omit<SearchOptions, "rerank"> {
  rerank?: RerankRequest;
}

/**
 * What asks language models: a script of its own, for few pages need it.
 *
 * @internal
 */
export async function askScript(): Promise<typeof import("./ask/index.js")> {
  const url = askUrl().href;
  try {
    return (await import(/* @vite-ignore */ url)) as typeof import("./ask/index.js");
  } catch (thrown) {
    throw new QuerentError("fetch", `${url} cannot be loaded (${String(thrown)}); check that the whole folder was copied`);
  }
}

function hostOptions(options: QuerentOptions): HostOptions {
  const page = typeof document === "undefined" ? SCRIPT_FOLDER : document.baseURI;
  const base = new URL(options.url ?? SCRIPT_FOLDER, page);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  base.search = base.hash = "";
  const database = options.database ?? `querent ${base.pathname}`;
  const reranker = options.rerank?.url && new URL(options.rerank.url, page).href;
  return { base: base.href, index: options.index !== false, database, ...(reranker ? { reranker } : {}) };
}

function pathOf(input: DocumentInput): string {
  if ("path" in input) return input.path;
  return input.webkitRelativePath || input.name;
}

async function bytesOf(input: DocumentInput): Promise<Uint8Array> {
  if (!("content" in input)) return new Uint8Array(await input.arrayBuffer());
  if (typeof input.content === "string") return new TextEncoder().encode(input.content);
  return new Uint8Array(input.content);
}

function pause(milliseconds: number): Promise<void> | undefined {
  return milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;
}
