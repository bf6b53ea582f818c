/**
 * Files by content hash, kept between visits. A thin face over `FileStore` (IndexedDB, or memory where that is
 * missing), which answers "not there" instead of failing: a cache must never break a search.
 *
 * On a first visit there is nothing to be found, so the store's module is not loaded before the first results are
 * there; on later visits it loads together with the search.
 */

import type { FileStore } from "../generated/store.js";
import { storeModule } from "./modules.js";

/** Milliseconds from the start that a search waits for the database. A blocked database must not block the search. */
const PATIENCE_MS = 300;
/** Milliseconds before new files are written: a first search must not share the network with the store's module. */
const WRITE_DELAY_MS = 1000;

/** What a stored file is for: the store makes room by throwing away what can be fetched again, never `document`. */
export type StoredKind = "shard" | "model" | "document";

export class Store {
  readonly #database: string;
  readonly #inTime: Promise<FileStore | undefined>;
  #opened: Promise<FileStore> | undefined;

  constructor(database: string) {
    this.#database = database;
    this.exists = databaseExists(database);
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));
    const early = this.exists.then((exists) => (exists ? this.opened : undefined)).catch(() => undefined);
    this.#inTime = Promise.race([early, late]);
  }

  /** Whether this browser may have kept something. */
  readonly exists: Promise<boolean>;

  /** The opened store itself, for callers that need to know about failures. */
  get opened(): Promise<FileStore> {
    this.#opened ??= storeModule
      .get()
      .then((module) => module.FileStore.open(this.#database))
      .catch((thrown: unknown) => {
        this.#opened = undefined;
        throw thrown;
      });
    return this.#opened;
  }

  /** Bytes by hash for a search: nothing when they are not there, or when the database takes too long. */
  async find(sha256: string): Promise<Uint8Array | undefined> {
    try {
      const store = (await this.#inTime) ?? (await this.#openedAlready());
      return await store?.get(sha256);
    } catch {
      return undefined;
    }
  }

  /** Keeps bytes a little later if that is possible. Nobody waits. */
  keep(sha256: string, bytes: Uint8Array, kind: StoredKind): void {
    setTimeout(() => {
      this.opened.then((store) => store.put(sha256, bytes, kind)).catch(() => undefined);
    }, WRITE_DELAY_MS);
  }

  /** As {@link keep}, for a record. */
  keepRecord(key: string, text: string): void {
    setTimeout(() => {
      this.writeRecord(key, text).catch(() => undefined);
    }, WRITE_DELAY_MS);
  }

  /** Drops bytes, for instance damaged ones. */
  async drop(sha256: string): Promise<void> {
    await this.opened.then((store) => store.delete(sha256)).catch(() => undefined);
  }

  /** A small record by name, as text. */
  async record(key: string): Promise<string | undefined> {
    const bytes = await (await this.opened).readRecord(key);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Replaces a record. The caller has to know when this fails. */
  async writeRecord(key: string, text: string): Promise<void> {
    await (await this.opened).writeRecord(key, new TextEncoder().encode(text));
  }

  /** The store when it is open, without waiting for it. */
  #openedAlready(): Promise<FileStore | undefined> {
    const undecided = Promise.resolve(undefined);
    return this.#opened ? Promise.race([this.#opened, undecided]) : undecided;
  }
}

/** True where the browser does not tell. */
async function databaseExists(name: string): Promise<boolean> {
  try {
    const databases = await indexedDB.databases();
    return databases.some((database) => database.name === name);
  } catch {
    return true;
  }
}
