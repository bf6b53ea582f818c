/**
 * The embedding model: its code and its weights, loaded on demand and once. `model.json` beside the manifest
 * names the file of weights; the file is kept by its hash, so that it is downloaded once per browser.
 */

import { QuerentError } from "../errors.js";
import type { EmbeddingModel } from "../generated/model.js";
import type { ModelIdentity } from "../generated/search.js";
import type { ModelState, Progress } from "../types.js";
import { fetchOk } from "./fetch.js";
import { modelModule } from "./modules.js";
import type { Store } from "./store.js";

/** `model.json`. */
interface ModelFile {
  identity?: ModelIdentity;
  /** The weights, relative to `model.json`. */
  file: string;
  bytes: number;
  sha256: string;
}

const RECORD = "model.json";
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
  readonly #store: Store;
  readonly #base: URL;
  readonly #vectors: Vectors;
  readonly #onState: (state: ModelState) => void;
  readonly #listeners = new Set<(progress: Progress) => void>();
  readonly #queries = new Map<string, Float32Array>();
  #state: ModelState;
  #loading: Promise<EmbeddingModel> | undefined;
  #model: EmbeddingModel | undefined;

  constructor(store: Store, base: URL, vectors: Vectors, onState: (state: ModelState) => void) {
    this.#store = store;
    this.#base = base;
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
  async storedHashes(): Promise<string[]> {
    const text = await this.#store.record(RECORD);
    return text === undefined ? [] : [(JSON.parse(text) as ModelFile).sha256];
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
      const [module, pack] = await Promise.all([modelModule.get(), this.#pack()]);
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

  async #pack(): Promise<Uint8Array> {
    const url = new URL(RECORD, this.#base);
    const file = (await this.#description(url)) as ModelFile;
    // The pack says itself which model it is; this saves the download of one that is of no use.
    if (file.identity) this.#demand(file.identity);
    const stored = await this.#store.find(file.sha256);
    if (stored?.length === file.bytes) return stored;
    const bytes = await this.#download(new URL(file.file, url), file);
    this.#store.keep(file.sha256, bytes, "model");
    return bytes;
  }

  /** `model.json`, from the network or as it was when the network last answered. */
  async #description(url: URL): Promise<unknown> {
    try {
      const text = await (await fetchOk(url, { cache: "no-cache" })).text();
      this.#store.keepRecord(RECORD, text);
      return JSON.parse(text);
    } catch (thrown) {
      const text = await this.#store.record(RECORD).catch(() => undefined);
      if (text === undefined) throw thrown;
      return JSON.parse(text);
    }
  }

  async #download(url: URL, file: ModelFile): Promise<Uint8Array> {
    for (const cache of ["default", "reload"] as const) {
      const bytes = await readWithProgress(await fetchOk(url, { cache, priority: "low" }), file.bytes, (done) =>
        this.#tell({ stage: "download", done, total: file.bytes }),
      );
      if (bytes.length === file.bytes && (await hashMatches(bytes, file.sha256))) return bytes;
    }
    throw new QuerentError("checksum", `${url.href} is damaged; build the index again`);
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

/** The body of a response of about `expected` bytes. */
export async function readWithProgress(response: Response, expected: number, onBytes: (done: number) => void): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  let bytes = new Uint8Array(expected);
  let done = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (done + part.value.length > bytes.length) {
      // Longer than promised: keep it, so that the caller's check says so.
      const longer = new Uint8Array((done + part.value.length) * 2);
      longer.set(bytes.subarray(0, done));
      bytes = longer;
    }
    bytes.set(part.value, done);
    done += part.value.length;
    onBytes(done);
  }
  return bytes.subarray(0, done);
}

/**
 * Whether a hash begins as `sha256` does, which may be shortened as in a manifest. True where hashing is not to be
 * had (an insecure origin): whoever uses the bytes has checks of their own.
 */
export async function hashMatches(bytes: Uint8Array<ArrayBufferLike>, sha256: string): Promise<boolean> {
  const hash = await sha256Hex(bytes);
  return hash === undefined || hash.startsWith(sha256);
}

/** SHA-256 in hexadecimal; nothing on an origin that the browser does not call secure. */
export async function sha256Hex(bytes: Uint8Array): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Lets messages that have arrived be seen. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
