/** The embedding model: its code and its weights, loaded on demand and once. `model.json` names the weights. */

import { QuerentError } from "../errors.js";
import type { EmbeddingModel } from "../generated/model.js";
import type { ModelIdentity } from "../generated/search.js";
import type { ModelState, Progress } from "../types.js";
import { modelModule } from "./modules.js";
import { Pack } from "./pack.js";
import type { Store } from "./store.js";

/** Two models whose vectors may be compared agree in these. */
const IDENTIFYING = ["id", "weights_sha256", "tokenizer_sha256"] as const;
/** Query vectors that are remembered: a reader goes back and forth between a few queries. */
const REMEMBERED_QUERIES = 32;
/** Texts embedded in one go: enough to keep the kernels busy, few enough to let a search in between. */
const BATCH = 4;

/** What the mounted indexes say about their vectors; another answer after every mount. */
export interface Vectors {
  /** Whether a model is of any use. */
  wanted(): boolean;
  /** The model that made them; nothing where none of them has any yet. */
  madeBy(): ModelIdentity | undefined;
}

/** The model of one index. It is never handed out while the mounted index has vectors of another one. */
export class Model {
  readonly #pack: Pack;
  readonly #vectors: Vectors;
  readonly #onState: (state: ModelState) => void;
  readonly #listeners = new Set<(progress: Progress) => void>();
  readonly #queries = new Map<string, Float32Array>();
  #state: ModelState;
  #loading: Promise<EmbeddingModel> | undefined;
  #model: EmbeddingModel | undefined;

  constructor(store: Store, base: URL, vectors: Vectors, onState: (state: ModelState) => void) {
    this.#pack = new Pack(store, base, "model.json");
    this.#vectors = vectors;
    this.#state = vectors.wanted() ? "idle" : "none";
    this.#onState = onState;
  }

  get state(): ModelState {
    return this.#state;
  }

  /** The model when it is there, without waiting. */
  get ready(): EmbeddingModel | undefined {
    const usable = this.#model && this.#mismatch(this.#model.identity()) === undefined;
    return usable ? this.#model : undefined;
  }

  /**
   * To be called after every mount: gives a model up that did not make the vectors of the index, so that the right
   * one can be loaded.
   */
  recheck(): void {
    const wanted = this.#vectors.wanted();
    // A model that is being loaded is checked when it is there.
    if (this.#state === "loading" || (wanted && this.ready)) return;
    this.#model = this.#loading = undefined;
    this.#queries.clear();
    this.#become(wanted ? "idle" : "none");
  }

  /** Hashes of stored files that belong to the model. */
  storedHashes(): Promise<string[]> {
    return this.#pack.storedHashes();
  }

  /**
   * Loads code and weights. A second call joins the first.
   *
   * @throws `no-model` when the index has no vectors, `model-mismatch` when another model made them, `fetch`,
   *   `checksum`, or what the model finds wrong
   */
  async load(onProgress: (progress: Progress) => void): Promise<EmbeddingModel> {
    if (this.ready) return this.ready;
    if (this.#state === "none") {
      throw new QuerentError("no-model", "the index has no vectors; build it with `--embeddings minilm`");
    }
    this.#listeners.add(onProgress);
    try {
      this.#loading ??= this.#start();
      return await this.#loading;
    } finally {
      this.#listeners.delete(onProgress);
    }
  }

  /** The vector of a query; nothing while the model is not ready. */
  embedQuery(query: string): Float32Array | undefined {
    const model = this.ready;
    const known = model && this.#queries.get(query);
    if (!model || known) return known;
    const vector = model.embed([query]);
    this.#queries.set(query, vector);
    const oldest = this.#queries.keys().next();
    if (this.#queries.size > REMEMBERED_QUERIES && !oldest.done) this.#queries.delete(oldest.value);
    return vector;
  }

  /** Vectors of many texts, one after the other in one array; other requests are served in between. */
  async embedAll(model: EmbeddingModel, texts: string[], onProgress: (progress: Progress) => void): Promise<Float32Array> {
    const { dimensions } = model.identity();
    const vectors = new Float32Array(texts.length * dimensions);
    for (let from = 0; from < texts.length; from += BATCH) {
      onProgress({ stage: "embed", done: from, total: texts.length });
      vectors.set(model.embed(texts.slice(from, from + BATCH)), from * dimensions);
      await nextTask();
    }
    return vectors;
  }

  async #start(): Promise<EmbeddingModel> {
    this.#become("loading");
    try {
      // A rejected download must not leave the module's promise unwatched, and the other way round.
      const [module, pack] = await Promise.all([modelModule.get(), this.#download()]);
      this.#tell({ stage: "prepare", done: 0, total: 0 });
      await nextTask();
      const model = module.EmbeddingModel.fromPack(pack);
      this.#demand(model.identity());
      this.#model = model;
      this.#become("ready");
      return model;
    } catch (thrown) {
      this.#loading = undefined;
      this.#become("failed");
      throw thrown;
    }
  }

  async #download(): Promise<Uint8Array> {
    const file = await this.#pack.description();
    // The pack says itself which model it is; this saves the download of one that is of no use.
    if (file.identity) this.#demand(file.identity);
    return await this.#pack.bytes(file, (progress) => this.#tell(progress));
  }

  #demand(got: ModelIdentity): void {
    const mismatch = this.#mismatch(got);
    if (mismatch) throw new QuerentError("model-mismatch", mismatch);
  }

  /** How `got` differs from the model that made the vectors of the index, and what to do about it. */
  #mismatch(got: ModelIdentity): string | undefined {
    const expected = this.#vectors.madeBy();
    const differs = expected && IDENTIFYING.find((field) => got[field] !== expected[field]);
    if (!differs) return undefined;
    const difference = `${differs}: expected ${expected[differs]}, found ${got[differs]}`;
    return `the index was built with the model ${expected.id}, model.json names ${got.id} (${difference}); build the index again`;
  }

  #tell(progress: Progress): void {
    for (const listener of this.#listeners) listener(progress);
  }

  #become(state: ModelState): void {
    this.#state = state;
    this.#onState(state);
  }
}

/** Lets messages that have arrived be seen. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
