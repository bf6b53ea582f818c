/**
 * The site's manifest: fetched at the start, remembered for the day without network, and the list of files that
 * are worth keeping.
 */

import type { FileEntry } from "../generated/search.js";
import { fetchOk } from "./fetch.js";
import type { Store } from "./store.js";

const RECORD = "manifest.json";

/** The part of the manifest that the host reads; the engine reads and checks all of it. */
interface FileList {
  segments?: { files?: FileEntry[] }[];
}

/** `manifest.json` of the index folder. */
export class SiteManifest {
  readonly #url: URL;
  readonly #store: Store;
  #text = "";

  constructor(base: URL, store: Store) {
    this.#url = new URL("manifest.json", base);
    this.#store = store;
  }

  /** All files of the site's index. */
  get files(): FileEntry[] {
    if (!this.#text) return [];
    const { segments = [] } = JSON.parse(this.#text) as FileList;
    return segments.flatMap(({ files = [] }) => files);
  }

  /** The manifest from the network, or the one of the last visit when there is no network. */
  async fetch(): Promise<Uint8Array> {
    try {
      const text = await (await fetchOk(this.#url, { cache: "no-cache" })).text();
      this.#remember(text);
    } catch (thrown) {
      const text = await this.#store.record(RECORD).catch(() => undefined);
      if (text === undefined) throw thrown;
      this.#text = text;
    }
    return new TextEncoder().encode(this.#text);
  }

  /** The manifest when it is another one than before. */
  async fetchChanged(): Promise<Uint8Array | undefined> {
    const before = this.#text;
    const bytes = await this.fetch();
    return this.#text === before ? undefined : bytes;
  }

  /** Removes files from the store that neither this manifest nor `others` names. */
  async tidy(others: Iterable<string>): Promise<void> {
    if (!this.#text) return;
    const named = new Set([...this.files.map((file) => file.sha256), ...others]);
    const store = await this.#store.opened;
    for (const sha256 of await store.keys()) if (!named.has(sha256)) await this.#store.drop(sha256);
  }

  #remember(text: string): void {
    this.#text = text;
    this.#store.writeRecord(RECORD, text).catch(() => undefined);
  }
}
