/**
 * Loading of wasm modules. Large ones are compiled while they download where the server calls them
 * `application/wasm`; the small ones of every first search come as gzip and are unpacked here, so that they are
 * as small on a host that compresses nothing. Only `search` is needed for a first result, so only its glue is a
 * part of the worker's script.
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
  const url = wasmUrl(name);
  const response = await fetchOk(url);
  if (url.pathname.endsWith(".wasm") && response.headers.get("content-type")?.startsWith("application/wasm")) {
    return await WebAssembly.compileStreaming(response);
  }
  return await WebAssembly.compile(await unzipped(await response.arrayBuffer()));
}

/** A module's bytes. Whether they are gzip they say themselves: some servers unpack what is named `.gz`. */
async function unzipped(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first !== 0x1f || second !== 0x8b) return bytes;
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
