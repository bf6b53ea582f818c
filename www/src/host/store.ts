/**
 * Files by content hash, kept between visits. A thin face over the engine's `FileStore` (IndexedDB, or memory
 * where that is missing), which answers "not there" instead of failing: a cache must never break a search.
 */

import type { FileStore } from "../generated/search.js";
import { searchModule } from "./modules.js";

/** Milliseconds that a first search waits for the database. A blocked database must not block the search. */
const PATIENCE_MS = 400;

/** What a stored file is for. */
export type StoredKind = "shard" | "model" | "document";

/** Opened in the background; every call waits for that. */
export class Store {
  readonly #opened: Promise<FileStore>;
  #slow = false;

  constructor(database: string) {
    this.#opened = searchModule.get().then((module) => module.FileStore.open(database));
    this.#opened.catch(() => undefined);
    setTimeout(() => (this.#slow = true), PATIENCE_MS);
  }

  /** The opened store itself, for callers that need to know about failures. */
  get opened(): Promise<FileStore> {
    return this.#opened;
  }

  /** Bytes by hash for a search: nothing when they are not there, or when the database takes too long. */
  async find(sha256: string): Promise<Uint8Array | undefined> {
    try {
      const store = await this.#openedInTime();
      return await store?.get(sha256);
    } catch {
      return undefined;
    }
  }

  /** Keeps bytes if that is possible. Nobody waits. */
  keep(sha256: string, bytes: Uint8Array, kind: StoredKind): void {
    this.#opened.then((store) => store.put(sha256, bytes, kind)).catch(() => undefined);
  }

  /** Drops bytes, for instance damaged ones. */
  async drop(sha256: string): Promise<void> {
    await this.#opened.then((store) => store.delete(sha256)).catch(() => undefined);
  }

  /** A small record by name, as text. */
  async record(key: string): Promise<string | undefined> {
    const bytes = await (await this.#opened).readRecord(key);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Replaces a record. The caller has to know when this fails. */
  async writeRecord(key: string, text: string): Promise<void> {
    await (await this.#opened).writeRecord(key, new TextEncoder().encode(text));
  }

  #openedInTime(): Promise<FileStore | undefined> {
    if (this.#slow) return Promise.race([this.#opened, Promise.resolve(undefined)]);
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));
    return Promise.race([this.#opened, late]);
  }
}
