/**
 * Loading of wasm modules. Large ones are compiled while they download where the server calls them
 * `application/wasm`; the small ones of every first search come as gzip and are unpacked here, so that they are
 * as small on a host that compresses nothing. Only `search` is needed for a first result, so only its glue is a
 * part of the worker's script. `search-languages` is the same code with stemmers of all languages: readers of an
 * English index never fetch it.
 */

import { glueUrl, type WasmModule } from "../assets.js";
import initSearch, * as search from "../generated/search.js";
import { compile, Lazy } from "./compile.js";

/** Glue as wasm-bindgen makes it. */
interface Glue {
  default(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
}

let loadedSearch: Promise<typeof search> | undefined;

/**
 * The read side, once for all hosts. The module for English is on its way at once, so that no reader of English waits
 * for the manifest first; it is stopped where the index turns out to need the stemmers of other languages.
 *
 * @param languages whether it does
 */
export function searchModule(languages: Promise<boolean>): Promise<typeof search> {
  loadedSearch ??= loadSearch(languages).catch((thrown: unknown) => {
    loadedSearch = undefined;
    throw thrown;
  });
  return loadedSearch;
}

async function loadSearch(languages: Promise<boolean>): Promise<typeof search> {
  const stop = new AbortController();
  const english = compile("search", stop.signal);
  // Looked at below, or stopped.
  english.catch(() => undefined);
  let module: WebAssembly.Module | undefined;
  if (await languages.catch(() => false)) {
    stop.abort();
    // Without it words are found as they are written. An older copy of the folder has no such file.
    module = await compile("search-languages").catch(() => undefined);
  }
  module ??= await (stop.signal.aborted ? compile("search") : english);
  await initSearch({ module_or_path: module });
  return search;
}

/** Files by hash in IndexedDB. */
export const storeModule = lazyModule<typeof import("../generated/store.js")>("store");

/** The embedding model's code, without weights. */
export const modelModule = lazyModule<typeof import("../generated/model.js")>("model");

/** The write side. */
export const ingestModule = lazyModule<typeof import("../generated/ingest.js")>("ingest");

/** The write side with the readers of PDF and DOCX, several times as large: for files that need them. */
export const documentsModule = lazyModule<typeof import("../generated/ingest.js")>("ingest-documents");

function lazyModule<T extends Glue>(name: WasmModule): Lazy<T> {
  return new Lazy(async () => {
    const [glue, module] = await Promise.all([import(glueUrl(name).href) as Promise<T>, compile(name)]);
    await glue.default({ module_or_path: module });
    return glue;
  });
}
