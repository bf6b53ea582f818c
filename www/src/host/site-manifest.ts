/** The site's manifest: fetched at the start, and remembered for the day without network. */

import { needsLanguages } from "../languages.js";
import { fetchOk } from "./fetch.js";
import type { Store } from "./store.js";

const RECORD = "manifest.json";

/** `manifest.json` of the index folder. */
export class SiteManifest {
  readonly #url: URL;
  readonly #store: Store;
  #text = "";

  constructor(base: URL, store: Store) {
    this.#url = new URL("manifest.json", base);
    this.#store = store;
  }

  /** The manifest from the network, or the one of the last visit when there is no network. */
  async fetch(): Promise<Uint8Array> {
    try {
      this.#text = await (await fetchOk(this.#url, { cache: "no-cache" })).text();
      this.#store.keepRecord(RECORD, this.#text);
    } catch (thrown) {
      const text = await this.#store.record(RECORD).catch(() => undefined);
      if (text === undefined) throw thrown;
      this.#text = text;
    }
    return new TextEncoder().encode(this.#text);
  }

  /** Whether the documents need stemmers of other languages than English. */
  get needsLanguages(): boolean {
    return needsLanguages(this.#text);
  }

  /** The manifest when it is another one than before. */
  async fetchChanged(): Promise<Uint8Array | undefined> {
    const before = this.#text;
    const bytes = await this.fetch();
    return this.#text === before ? undefined : bytes;
  }
}
