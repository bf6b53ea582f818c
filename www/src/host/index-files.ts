/**
 * From "the engine needs these files" to "the engine has them": stored bytes first, then the network, and a
 * second fetch past every cache when the first gave damaged bytes. The engine itself checks length and hash; only
 * what it is not given, because it is for later, is checked here.
 */

import { QuerentError } from "../errors.js";
import type { FileEntry, SearchEngine } from "../generated/search.js";
import { fetchOk } from "./fetch.js";
import { hashMatches } from "./pack.js";
import type { Store } from "./store.js";

/** Errors of `SearchEngine.load` that other bytes may cure. */
const CURABLE: readonly string[] = ["length", "checksum", "corrupt"];

/** Loads files of the mounted indexes into the engine. */
export class IndexFiles {
  readonly #engine: SearchEngine;
  readonly #store: Store;
  readonly #base: URL;
  readonly #loading = new Map<string, Promise<void>>();
  /** Hashes of files that only the store can have, because this browser made them. */
  local: ReadonlySet<string> = new Set();

  constructor(engine: SearchEngine, store: Store, base: URL) {
    this.#engine = engine;
    this.#store = store;
    this.#base = base;
  }

  /** Hands the files over to the engine, all at once; a file that is already on its way is not asked for twice. */
  async load(files: readonly FileEntry[]): Promise<void> {
    const loads = await Promise.allSettled(
      files.map((file) => {
        const running = this.#loading.get(file.name);
        if (running) return running;
        const started = this.#load(file).finally(() => this.#loading.delete(file.name));
        this.#loading.set(file.name, started);
        return started;
      }),
    );
    // Only now: a load that still ran would hand its failure to the next search that needs the same file.
    const failed = loads.find((load) => load.status === "rejected");
    if (failed) throw failed.reason;
  }

  /** Keeps a file of the site for offline use without handing it to the engine. */
  async download(file: FileEntry): Promise<void> {
    if (this.local.has(file.sha256)) return;
    const stored = await this.#store.find(file.sha256);
    if (stored && (await isWhole(file, stored))) return;
    for (const cache of ["default", "reload"] as const) {
      const bytes = await this.#fetch(file, cache);
      if (!(await isWhole(file, bytes))) continue;
      await (await this.#store.opened).put(file.sha256, bytes, "shard");
      return;
    }
    const expected = `expected ${file.bytes} bytes with the hash ${file.sha256}, found others twice`;
    throw new QuerentError("checksum", `${file.name}: ${expected}; copy the index to the server again`);
  }

  async #load(file: FileEntry): Promise<void> {
    const stored = await this.#store.find(file.sha256);
    if (stored) {
      if (this.#accepts(file, stored) === undefined) return;
      await this.#store.drop(file.sha256);
    }
    if (this.local.has(file.sha256)) {
      throw new QuerentError("lost", `${file.name}: the browser has dropped this part of an added document`);
    }
    let bytes = await this.#fetch(file, "default");
    if (this.#accepts(file, bytes) !== undefined) {
      bytes = await this.#fetch(file, "reload");
      const error = this.#accepts(file, bytes);
      if (error) throw error;
    }
    this.#store.keep(file.sha256, bytes, "shard");
  }

  async #fetch(file: FileEntry, cache: RequestCache): Promise<Uint8Array> {
    const response = await fetchOk(new URL(encodeURIComponent(file.name), this.#base), { cache });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** The curable error that the engine finds in `bytes`, if any; every other error is thrown. */
  #accepts(file: FileEntry, bytes: Uint8Array): QuerentError | undefined {
    try {
      this.#engine.load(file.name, bytes);
      return undefined;
    } catch (thrown) {
      const error = QuerentError.from(thrown);
      if (CURABLE.includes(error.code)) return error;
      throw error;
    }
  }
}

async function isWhole(file: FileEntry, bytes: Uint8Array): Promise<boolean> {
  return bytes.length === file.bytes && (await hashMatches(bytes, file.sha256));
}
