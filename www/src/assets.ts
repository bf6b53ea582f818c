/**
 * Names of the files beside `querent.js`. The build writes the hashed names in (`define` of esbuild); all
 * addresses are resolved against the script that asks, so a site may keep the folder wherever it likes.
 */

declare const __QUERENT_WORKER__: string;
declare const __QUERENT_SEARCH__: string;
declare const __QUERENT_STORE__: string;
declare const __QUERENT_MODEL__: string;
declare const __QUERENT_INGEST__: string;

/** Folder of the running script, with a slash at its end. */
export const SCRIPT_FOLDER = new URL(".", import.meta.url).href;

/** Address of the worker's script. Only `querent.js` may ask. */
export const workerUrl = (): URL => new URL(__QUERENT_WORKER__, SCRIPT_FOLDER);

/** Addresses of the wasm modules. Only the worker's script may ask. */
export const wasmUrl = {
  search: () => new URL(__QUERENT_SEARCH__, SCRIPT_FOLDER),
  store: () => new URL(__QUERENT_STORE__, SCRIPT_FOLDER),
  model: () => new URL(__QUERENT_MODEL__, SCRIPT_FOLDER),
  ingest: () => new URL(__QUERENT_INGEST__, SCRIPT_FOLDER),
};
