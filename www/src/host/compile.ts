/** From the address of a wasm module to the module. */

import { wasmUrl, type WasmModule } from "../assets.js";
import { fetchOk } from "./fetch.js";

/** Something that is loaded when it is first asked for, and again when that failed. */
export class Lazy<T> {
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

/** Fetches and compiles. */
export async function compile(name: WasmModule, signal?: AbortSignal): Promise<WebAssembly.Module> {
  const url = wasmUrl(name);
  const response = await fetchOk(url, signal ? { signal } : {});
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
