/**
 * Loading of wasm modules: compiled while they download, or from their bytes where the server calls them
 * something else than `application/wasm`.
 */

import { wasmUrl } from "../assets.js";
import initIngest, * as ingest from "../generated/ingest.js";
import initModel, * as model from "../generated/model.js";
import initSearch, * as search from "../generated/search.js";
import initStore, * as store from "../generated/store.js";
import { fetchOk } from "./fetch.js";

/** A wasm module that is loaded when it is first asked for, and again when that failed. */
class Lazy<T> {
  readonly #load: () => Promise<T>;
  #loaded: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  get(): Promise<T> {
    this.#loaded ??= this.#load().catch((thrown: unknown) => {
      this.#loaded = undefined;
      throw thrown;
    });
    return this.#loaded;
  }
}

/** The read side. */
export const searchModule = new Lazy(async () => {
  await initSearch({ module_or_path: await compile(wasmUrl.search()) });
  return search;
});

/** Files by hash in IndexedDB. */
export const storeModule = new Lazy(async () => {
  await initStore({ module_or_path: await compile(wasmUrl.store()) });
  return store;
});

/** The embedding model's code, without weights. */
export const modelModule = new Lazy(async () => {
  await initModel({ module_or_path: await compile(wasmUrl.model()) });
  return model;
});

/** The write side. */
export const ingestModule = new Lazy(async () => {
  await initIngest({ module_or_path: await compile(wasmUrl.ingest()) });
  return ingest;
});

async function compile(url: URL): Promise<WebAssembly.Module> {
  const response = await fetchOk(url);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return await WebAssembly.compileStreaming(response);
  }
  return await WebAssembly.compile(await response.arrayBuffer());
}
