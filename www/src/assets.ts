/**
 * Names of the files beside `querent.js`. The build writes the hashed names in (`define` of esbuild); all
 * addresses are resolved against the script that asks, so a site may keep the folder wherever it likes.
 */

declare const __QUERENT_WORKER__: string;
declare const __QUERENT_ASK__: string;
declare const __QUERENT_MODULES__: Record<WasmModule, ModuleFiles>;

/** The wasm modules. */
export type WasmModule = "search" | "search-languages" | "store" | "model" | "ingest" | "ingest-documents" | "ask";

/** A wasm module and its glue. The glue of `search`, which `search-languages` has too, is a part of the worker's script. */
interface ModuleFiles {
  wasm: string;
  glue: string;
}

/** Folder of the running script, with a slash at its end. */
export const SCRIPT_FOLDER = new URL(".", import.meta.url).href;

/** Address of the worker's script. Only `querent.js` may ask. */
export const workerUrl = (): URL => new URL(__QUERENT_WORKER__, SCRIPT_FOLDER);

/** Address of the script that asks language models. Only `querent.js` may ask. */
export const askUrl = (): URL => new URL(__QUERENT_ASK__, SCRIPT_FOLDER);

/** Address of a wasm module. Only the worker's script may ask, and of `ask` the one that asks. */
export const wasmUrl = (name: WasmModule): URL => new URL(__QUERENT_MODULES__[name].wasm, SCRIPT_FOLDER);

/** Address of a module's glue: with the worker's own query string, so that a fresh worker gets fresh glue. */
export function glueUrl(name: WasmModule): URL {
  const url = new URL(__QUERENT_MODULES__[name].glue, SCRIPT_FOLDER);
  url.search = new URL(import.meta.url).search;
  return url;
}
