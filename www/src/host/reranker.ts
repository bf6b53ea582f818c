/**
 * The cross-encoder: its pack, loaded with the first search that asks for it, and its time. The pack is the one that
 * `reranker.json` in the index's folder names, unless the page has one of its own.
 */

import { QuerentError, throwIfAborted } from "../errors.js";
import type { RerankModel } from "../generated/model.js";
import type { Context } from "../protocol.js";
import type { Passage, PassageScore, Progress } from "../types.js";
import { fetchOk } from "./fetch.js";
import { nextTask } from "./model.js";
import { modelModule } from "./modules.js";
import { Pack, readWithProgress } from "./pack.js";
import type { Store } from "./store.js";

export class Reranker {
  readonly #pack: Pack;
  readonly #url: string | undefined;
  readonly #listeners = new Set<(progress: Progress) => void>();
  #loading: Promise<RerankModel> | undefined;

  /** @param url a pack of the page's own, which the browser's cache keeps and the hash inside it checks */
  constructor(store: Store, base: URL, url: string | undefined) {
    this.#pack = new Pack(store, base, "reranker.json");
    this.#url = url;
  }

  /** Hashes of stored files that belong to the cross-encoder. */
  storedHashes(): Promise<string[]> {
    return this.#pack.storedHashes();
  }

  /**
   * Loads code and weights. A second call joins the first.
   *
   * @throws `no-model` when there is no cross-encoder; `fetch`, `checksum`, or what the model finds wrong
   */
  async load(onProgress: (progress: Progress) => void): Promise<RerankModel> {
    this.#listeners.add(onProgress);
    try {
      this.#loading ??= this.#start();
      return await this.#loading;
    } catch (thrown) {
      this.#loading = undefined;
      throw thrown;
    } finally {
      this.#listeners.delete(onProgress);
    }
  }

  /**
   * Scores of the first passages: as many as `budget` milliseconds allow. What comes later does not count, so where
   * not even one can be scored in time, there are none. Other requests are served between two passages.
   */
  async score(query: string, passages: Passage[], budget: number, { signal, progress }: Context): Promise<PassageScore[]> {
    const model = await this.load(progress);
    const scores: PassageScore[] = [];
    const end = performance.now() + budget;
    let slowest = 0;
    for (const { id, text } of passages) {
      const start = performance.now();
      if (start + slowest > end) break;
      const [relevance = 0] = model.score(query, [text]);
      const now = performance.now();
      if (now > end) break;
      scores.push({ id, relevance });
      slowest = Math.max(slowest, now - start);
      progress({ stage: "rerank", done: scores.length, total: passages.length });
      await nextTask();
      throwIfAborted(signal);
    }
    return scores;
  }

  async #start(): Promise<RerankModel> {
    // A rejected download must not leave the module's promise unwatched, and the other way round.
    const [module, pack] = await Promise.all([modelModule.get(), this.#url ? this.#own(this.#url) : this.#shared()]);
    this.#tell({ stage: "prepare", done: 0, total: 0 });
    await nextTask();
    return module.RerankModel.fromPack(pack);
  }

  async #own(url: string): Promise<Uint8Array> {
    const response = await fetchOk(new URL(url), { priority: "low" });
    const total = Number(response.headers.get("content-length") ?? 0);
    return await readWithProgress(response, total, (done) => this.#tell({ stage: "download", done, total: Math.max(total, done) }));
  }

  async #shared(): Promise<Uint8Array> {
    const remedy = "build the index with `--reranker`, or give Querent.init the option `rerank: { url }`";
    const missing = new QuerentError("no-model", `the index's folder has no reranker.json; ${remedy}`);
    return await this.#pack.bytes(await this.#pack.description(missing), (progress) => this.#tell(progress));
  }

  #tell(progress: Progress): void {
    for (const listener of this.#listeners) listener(progress);
  }
}
