/**
 * The cross-encoder: its pack, loaded with the first search that asks for it, and its time. The pack is checked by
 * the hash inside it and kept by the browser's own cache of what was fetched.
 */

import { QuerentError, throwIfAborted } from "../errors.js";
import type { RerankModel } from "../generated/model.js";
import type { Context } from "../protocol.js";
import type { Passage, PassageScore, Progress } from "../types.js";
import { fetchOk } from "./fetch.js";
import { nextTask, readWithProgress } from "./model.js";
import { modelModule } from "./modules.js";

/** Passages scored between two looks at the clock and at the messages that have arrived. */
const BATCH = 2;

export class Reranker {
  readonly #url: string | undefined;
  #loading: Promise<RerankModel> | undefined;

  constructor(url: string | undefined) {
    this.#url = url;
  }

  /**
   * Loads code and weights. A second call joins the first.
   *
   * @throws `no-model` when `Querent.init` was given no cross-encoder; `fetch`, or what the model finds wrong
   */
  async load(onProgress: (progress: Progress) => void): Promise<RerankModel> {
    this.#loading ??= this.#start(onProgress);
    try {
      return await this.#loading;
    } catch (thrown) {
      this.#loading = undefined;
      throw thrown;
    }
  }

  /** Scores of the first passages: as many as `budget` milliseconds allow, but one batch at least. */
  async score(query: string, passages: Passage[], budget: number, { signal, progress }: Context): Promise<PassageScore[]> {
    const model = await this.load(progress);
    const scores: PassageScore[] = [];
    const end = performance.now() + budget;
    let slowest = 0;
    for (let from = 0; from < passages.length; from += BATCH) {
      const start = performance.now();
      if (from > 0 && start + slowest > end) break;
      const some = passages.slice(from, from + BATCH);
      const relevances = model.score(query, some.map(({ text }) => text));
      some.forEach(({ id }, at) => scores.push({ id, relevance: relevances[at] ?? 0 }));
      slowest = Math.max(slowest, performance.now() - start);
      progress({ stage: "rerank", done: scores.length, total: passages.length });
      await nextTask();
      throwIfAborted(signal);
    }
    return scores;
  }

  async #start(onProgress: (progress: Progress) => void): Promise<RerankModel> {
    if (!this.#url) throw new QuerentError("no-model", "expected the option `rerank: { url }` in Querent.init, found none");
    const response = await fetchOk(new URL(this.#url), { priority: "low" });
    const total = Number(response.headers.get("content-length") ?? 0);
    const report = (done: number) => onProgress({ stage: "download", done, total: Math.max(total, done) });
    const [module, pack] = await Promise.all([modelModule.get(), readWithProgress(response, total, report)]);
    onProgress({ stage: "prepare", done: 0, total: 0 });
    await nextTask();
    return module.RerankModel.fromPack(pack);
  }
}
