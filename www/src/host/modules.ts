/**
 * Loading of wasm modules: compiled while they download, or from their bytes where the server calls them
 * something else than `application/wasm`. Only `search` is needed for a first result, so only its glue is a part
 * of the worker's script.
 */

import { glueUrl, wasmUrl, type WasmModule } from "../assets.js";
import initSearch, * as search from "../generated/search.js";
import { fetchOk } from "./fetch.js";

/** Something that is loaded when it is first asked for, and again when that failed. */
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

/** Glue as wasm-bindgen makes it. */
interface Glue {
  default(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
}

/** The read side. */
export const searchModule = new Lazy(async () => {
  await initSearch({ module_or_path: await compile("search") });
  return search;
});

/** Files by hash in IndexedDB. */
export const storeModule = lazyModule<typeof import("../generated/store.js")>("store");

/** The embedding model's code, without weights. */
export const modelModule = lazyModule<typeof import("../generated/model.js")>("model");

/** The write side. */
export const ingestModule = lazyModule<typeof import("../generated/ingest.js")>("ingest");

function lazyModule<T extends Glue>(name: WasmModule): Lazy<T> {
  return new Lazy(async () => {
    const [glue, module] = await Promise.all([import(glueUrl(name).href) as Promise<T>, compile(name)]);
    await glue.default({ module_or_path: module });
    return glue;
  });
}

async function compile(name: WasmModule): Promise<WebAssembly.Module> {
  const response = await fetchOk(wasmUrl(name));
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return await WebAssembly.compileStreaming(response);
  }
  return await WebAssembly.compile(await response.arrayBuffer());
}
