/**
 * The host: everything behind the protocol. It owns the engine, the store, the model and the added documents,
 * and runs in a worker or, where workers are forbidden, in the page.
 *
 * The order of a first search: the `search` module and the manifest load at the same time, the manifest is
 * mounted, the engine names the files it needs, they load, the engine answers. Nothing else is waited for.
 */

import { QuerentError, throwIfAborted } from "../errors.js";
import type { FileEntry, SearchEngine } from "../generated/search.js";
import type { Context, Handlers, HostEvent, HostInfo, HostOptions } from "../protocol.js";
import type { ModelState, QuerentStats, SearchRequest, SearchResponse } from "../types.js";
import { Documents, storedLanguages, warnUnreadable, type LocalState } from "./documents.js";
import { IndexFiles } from "./index-files.js";
import { Model, nextTask } from "./model.js";
import { searchModule } from "./modules.js";
import { Reranker } from "./reranker.js";
import { SiteManifest } from "./site-manifest.js";
import { Store } from "./store.js";

/** More rounds than any search needs: terms, postings, vectors, texts. */
const MOST_ROUNDS = 16;
/** Errors of one search that are worth curing: a new site's manifest, another tab's changes, lost documents. */
const MOST_CURES = 4;

/** Errors of mounting stored segments that indexing the originals again cures. */
const OUTDATED: readonly string[] = ["version", "manifest", "model-mismatch"];

interface Parts {
  engine: SearchEngine;
  store: Store;
  files: IndexFiles;
  model: Model;
  reranker: Reranker;
  documents: Documents;
  site: SiteManifest;
  options: HostOptions;
}

export class Host {
  onEvent: (event: HostEvent) => void = () => undefined;
  #parts: Promise<Parts> | undefined;

  readonly handlers: Handlers = {
    init: (options) => this.#init(options),
    search: (input, context) => this.#search(input.request, input.semantic, context),
    rerank: (input, context) => this.#rerank(input.request, input.semantic, input.budget, context),
    addDocument: async ({ path, bytes }, context) => (await this.#ready()).documents.add(path, bytes, context.progress),
    removeDocument: async ({ path }) => (await this.#ready()).documents.remove(path),
    original: async ({ path }) => (await this.#ready()).documents.original(path),
    forget: async () => (await (await this.#ready()).store.opened).clear() as Promise<undefined>,
    documents: async () => (await this.#ready()).documents.list,
    stats: () => this.#stats(),
    loadModel: (_input, context) => this.#loadModel(context),
    download: (_input, context) => this.#download(context),
    ping: () => Promise.resolve(undefined),
  };

  /** Gives back what outlives its messages: in a page, nothing else ends a host. */
  end(): void {
    this.#parts?.then(({ documents }) => documents.destroy()).catch(() => undefined);
  }

  async #init(options: HostOptions): Promise<HostInfo> {
    this.#parts ??= this.#start(options);
    const { engine, model } = await this.#parts;
    return { modelState: model.state, documents: engine.stats().documents };
  }

  #ready(): Promise<Parts> {
    return this.#parts ?? Promise.reject(new QuerentError("internal", "init has to come first"));
  }

  async #start(options: HostOptions): Promise<Parts> {
    const base = new URL(options.base);
    const store = new Store(options.database);
    const site = new SiteManifest(base, store);
    const fetched = options.index ? site.fetch() : Promise.resolve(undefined);
    const languages = options.index ? fetched.then(() => site.needsLanguages) : storedLanguages(store);
    const [module, manifest] = await Promise.all([searchModule(languages), fetched]);
    const engine = new module.SearchEngine();
    if (manifest) engine.mount("site", manifest);
    const files = new IndexFiles(engine, store, base);
    files.load(engine.essentialFiles()).catch(() => undefined);
    const vectors = { wanted: () => !options.index || engine.model() !== undefined, madeBy: () => engine.model() };
    const model = new Model(store, base, vectors, (state) => this.onEvent({ type: "model", state }));
    const reranker = new Reranker(store, base, options.reranker);
    const documents = new Documents(
      store,
      model,
      {
        apply: (state) => this.#applyLocal({ engine, files, model }, state),
        identity: () => engine.model() ?? model.ready?.identity(),
      },
      options.database,
    );
    const parts = { engine, store, files, model, reranker, documents, site, options };
    void this.#afterStart(parts);
    return parts;
  }

  /** What no search waits for: the added documents, then the removal of files that no manifest names. */
  async #afterStart(parts: Parts): Promise<void> {
    const { engine, files, store, documents, options } = parts;
    if (!(await store.exists)) return;
    try {
      await documents.refresh().catch((thrown: unknown) => {
        // Stored by another release or with another model: the originals are there to be indexed again.
        const { code } = QuerentError.from(thrown);
        if (!OUTDATED.includes(code)) throw thrown;
        return documents.rebuild(({ vectors }) => code !== "model-mismatch" || vectors > 0, "forget");
      });
      // Without the site's manifest nobody knows which files are the site's, and without a lock nobody knows what
      // another tab is about to name.
      if (!options.index || !globalThis.navigator?.locks) return;
      await files.load(engine.essentialFiles()).catch(async (thrown: unknown) => {
        if (QuerentError.from(thrown).code !== "lost" || !(await documents.mend())) throw thrown;
        await files.load(engine.essentialFiles());
      });
      await documents.exclusively(() => this.#tidy(parts));
    } catch (thrown) {
      warnUnreadable(thrown);
    }
  }

  /** Removes files from the store that no mounted manifest and no document names. The caller has the lock. */
  async #tidy({ engine, store, documents, model, reranker }: Parts): Promise<void> {
    const known = engine.files().map((file) => file.sha256);
    const packs = [...(await model.storedHashes()), ...(await reranker.storedHashes())];
    const named = new Set([...known, ...documents.hashes, ...packs]);
    for (const sha256 of await (await store.opened).keys()) if (!named.has(sha256)) await store.drop(sha256);
  }

  async #applyLocal({ engine, files, model }: Pick<Parts, "engine" | "files" | "model">, state: LocalState): Promise<void> {
    files.local = new Set(state.documents.flatMap((document) => document.files.map((file) => file.sha256)));
    if (!state.manifest) engine.unmount("local");
    else {
      try {
        engine.mount("local", new TextEncoder().encode(state.manifest));
      } catch (thrown) {
        // The files of what was mounted before may be gone already.
        engine.unmount("local");
        throw thrown;
      }
      if (model.state === "ready") model.recheck();
      // The change is made, whatever cannot be loaded now: a search asks again.
      await files.load(engine.essentialFiles()).catch(() => undefined);
    }
    this.onEvent({ type: "changed", what: "documents" });
  }

  async #search(request: SearchRequest, semantic: boolean, { signal }: Context): Promise<SearchResponse> {
    const parts = await this.#ready();
    await nextTask();
    throwIfAborted(signal);
    for (let cures = 0; ; cures++) {
      try {
        if (semantic && request.mode === "semantic") await parts.model.load(() => undefined);
        return await this.#untilDone(parts, request, semantic, signal);
      } catch (thrown) {
        if (cures === MOST_CURES || !(await this.#cure(parts, QuerentError.from(thrown)))) throw thrown;
      }
    }
  }

  /** The fused list's passages are scored while there is time; the engine puts the rest behind them. */
  async #rerank(request: SearchRequest, semantic: boolean, budget: number, context: Context): Promise<SearchResponse> {
    const { engine, reranker } = await this.#ready();
    await reranker.load(context.progress);
    const settings = request.rerank ?? {};
    const fused = await this.#search({ ...request, rerank: { ...settings, scores: [] } }, semantic, context);
    const scores = await reranker.score(engine.wordsOf(request.query ?? ""), fused.passages ?? [], budget, context);
    if (scores.length === 0) return fused;
    return await this.#search({ ...request, rerank: { ...settings, scores } }, semantic, context);
  }

  async #untilDone(
    { engine, files, model }: Parts,
    request: SearchRequest,
    semantic: boolean,
    signal: AbortSignal,
  ): Promise<SearchResponse> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      // Asked for in every round: while files were on their way, an index of another model may have been mounted.
      const vector = semantic ? model.embedQuery(engine.wordsOf(request.query ?? "")) : undefined;
      const outcome = engine.search(request, vector);
      if (outcome.status === "done") return outcome.response;
      await files.load(outcome.files);
      throwIfAborted(signal);
    }
    throw new QuerentError("stuck", "the engine asks for files again and again; this is a defect of Querent");
  }

  /** Whether something was done about an error of a search, so that it is worth searching again. */
  async #cure(parts: Parts, error: QuerentError): Promise<boolean> {
    if (error.code === "lost") return await parts.documents.mend();
    if (error.code !== "fetch") return false;
    // The site was published again while this page was open: its old files are gone.
    const manifest = await parts.site.fetchChanged();
    if (manifest) this.#remount(parts, manifest);
    return manifest !== undefined;
  }

  #remount({ engine, model, documents }: Parts, manifest: Uint8Array): void {
    try {
      engine.mount("site", manifest);
    } catch (thrown) {
      if (QuerentError.from(thrown).code !== "model-mismatch") throw thrown;
      // The vectors of added documents are those of the model that the site had before.
      engine.unmount("local");
      engine.mount("site", manifest);
      documents.rebuild(({ vectors }) => vectors > 0, "forget").catch(warnUnreadable);
    }
    model.recheck();
    this.onEvent({ type: "changed", what: "index" });
  }

  async #loadModel(context: Context): Promise<ModelState> {
    const { model, documents } = await this.#ready();
    const first = model.state !== "ready";
    await model.load(context.progress);
    if (first) {
      this.onEvent({ type: "changed", what: "model" });
      documents.rebuild(({ vectors, chunks }) => vectors === 0 && chunks > 0).catch(() => undefined);
    }
    return model.state;
  }

  async #download(context: Context): Promise<number> {
    const { engine, files, model } = await this.#ready();
    await files.load(engine.essentialFiles());
    // The table and the codes are for readers without the model, and its rows are many: searches keep those that they needed.
    const wanted = engine.files().filter(
      ({ kind }: FileEntry) =>
        kind !== "encoder" && kind !== "codes" && (kind !== "vectors" || model.state === "ready"),
    );
    const total = wanted.reduce((sum, file) => sum + file.bytes, 0);
    let done = 0;
    for (const file of wanted) {
      throwIfAborted(context.signal);
      await files.download(file);
      context.progress({ stage: "download", done: (done += file.bytes), total });
    }
    return total;
  }

  async #stats(): Promise<QuerentStats> {
    const { engine, store, model, documents } = await this.#ready();
    const opened = await store.opened;
    const identity = engine.model();
    return {
      ...engine.stats(),
      localDocuments: documents.list.length,
      storage: opened.backing(),
      storedBytes: await opened.usage(),
      modelState: model.state,
      ...(identity ? { model: identity } : {}),
    };
  }
}
