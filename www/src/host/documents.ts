/**
 * Documents that the page added: one segment each, so that removing a document drops a segment.
 *
 * What must survive is one record, `local`: the list of documents and the manifest of their segments. A change
 * writes the new files first, the record second, and deletes what nobody names last; whatever is interrupted
 * leaves either the old state or the new one. The originals are kept too, so that a document can be indexed
 * again when the model arrives or the format changes. Several tabs take turns through a lock.
 */

import { QuerentError } from "../errors.js";
import type { BuiltFile, ModelIdentity, SegmentEntry } from "../generated/ingest.js";
import type { LocalDocument, Progress } from "../types.js";
import { ingestModule } from "./modules.js";
import { sha256Hex, type Model } from "./model.js";
import type { Store } from "./store.js";

const RECORD = "local";

/** One document as the record holds it. */
interface StoredDocument extends LocalDocument {
  /** Hash of the original; absent where the browser cannot hash. */
  source?: string;
  entry: SegmentEntry;
  /** The segment's files. */
  files: { name: string; sha256: string }[];
}

/** The record. */
export interface LocalState {
  version: 1;
  documents: StoredDocument[];
  /** The manifest of all segments, as the engine mounts it; empty without documents. */
  manifest: string;
}

const EMPTY: LocalState = { version: 1, documents: [], manifest: "" };

/** What the documents need from the host. */
export interface DocumentsHost {
  /** Called with every new state, before the change that made it is answered. */
  apply(state: LocalState): Promise<void>;
  /** The model of the site's index, when documents are to have vectors comparable with it. */
  identity(): ModelIdentity | undefined;
}

/** A finished segment and what to say about it. */
interface Built {
  document: StoredDocument;
  original: Uint8Array;
  files: BuiltFile[];
}

/** The added documents of one database. */
export class Documents {
  readonly #store: Store;
  readonly #model: Model;
  readonly #host: DocumentsHost;
  readonly #lockName: string;
  readonly #others: BroadcastChannel | undefined;
  #state: LocalState = EMPTY;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: Store, model: Model, host: DocumentsHost, database: string) {
    this.#store = store;
    this.#model = model;
    this.#host = host;
    this.#lockName = `querent documents ${database}`;
    if (typeof BroadcastChannel === "undefined") return;
    this.#others = new BroadcastChannel(this.#lockName);
    this.#others.onmessage = () => void this.restore();
  }

  get list(): LocalDocument[] {
    return this.#state.documents.map(withoutFiles);
  }

  /** Hashes that the store must keep. */
  get hashes(): Set<string> {
    const documents = this.#state.documents;
    return new Set(documents.flatMap(hashesOf));
  }

  /** Takes over what the database holds: at the start, and when another tab changed it. */
  async restore(): Promise<void> {
    const state = await this.#read();
    if (state.manifest === this.#state.manifest) return;
    this.#state = state;
    await this.#host.apply(state);
  }

  /** Indexes one document, or replaces the one of that path. */
  async add(path: string, bytes: Uint8Array, onProgress: (progress: Progress) => void): Promise<LocalDocument> {
    const built = await this.#build(path, bytes, onProgress);
    await this.#commit([built], []);
    return withoutFiles(built.document);
  }

  /** Forgets one document. Says whether it was there. */
  async remove(path: string): Promise<boolean> {
    const there = this.#state.documents.some((document) => document.path === path);
    if (there) await this.#commit([], [path]);
    return there;
  }

  /** The bytes that were added under a path. */
  async original(path: string): Promise<Uint8Array | undefined> {
    const source = this.#state.documents.find((document) => document.path === path)?.source;
    return source === undefined ? undefined : await this.#store.find(source);
  }

  /** Indexes documents again, from their originals: those without vectors, or those that a test names. */
  async rebuild(which: (document: LocalDocument) => boolean): Promise<void> {
    const rebuilt: Built[] = [];
    for (const document of this.#state.documents.filter(which)) {
      const original = document.source && (await this.#store.find(document.source));
      if (!original) continue;
      const built = await this.#build(document.path, original, () => undefined);
      rebuilt.push({ ...built, document: { ...built.document, added: document.added } });
    }
    if (rebuilt.length > 0) await this.#commit(rebuilt, []);
  }

  /** Runs something while no tab changes the documents. */
  exclusively(action: () => Promise<void>): Promise<void> {
    return this.#alone(action);
  }

  /** Path of the document that a file belongs to. */
  ownerOf(fileName: string): string | undefined {
    return this.#state.documents.find(({ files }) => files.some((file) => file.name === fileName))?.path;
  }

  destroy(): void {
    this.#others?.close();
  }

  async #build(path: string, bytes: Uint8Array, onProgress: (progress: Progress) => void): Promise<Built> {
    onProgress({ stage: "prepare", done: 0, total: bytes.length });
    const { Ingest } = await ingestModule.get();
    const identity = this.#host.identity();
    const model = identity && this.#model.ready;
    const ingest = new Ingest();
    let report, built;
    try {
      report = ingest.add(path, bytes, model && ((text: string) => model.countTokens(text)));
      built = ingest.finish(model && (await this.#model.embedAll(model, ingest.texts(), onProgress)));
    } finally {
      ingest.free();
    }
    const { entry, files } = built;
    const source = await sha256Hex(bytes);
    const { chunks, questions } = entry;
    const document = {
      path,
      title: report.title || path,
      bytes: bytes.length,
      chunks,
      questions,
      vectors: entry.vectors,
      added: Date.now(),
      entry: { ...entry, label: path },
      files: files.map(({ name, sha256 }) => ({ name, sha256 })),
      ...(source ? { source } : {}),
    };
    return { document, original: bytes, files };
  }

  /** One change of the record; see the top of this file for the order of its steps. */
  async #commit(added: Built[], removed: string[]): Promise<void> {
    await this.#alone(async () => {
      const before = await this.#read();
      const store = await this.#store.opened;
      for (const { document, original, files } of added) {
        if (document.source) await store.put(document.source, original, "document");
        for (const { sha256, bytes } of files) await store.put(sha256, bytes, "document");
      }
      const gone = new Set([...removed, ...added.map(({ document }) => document.path)]);
      const documents = [
        ...before.documents.filter(({ path }) => !gone.has(path)),
        ...added.map(({ document }) => document),
      ];
      const next: LocalState = { version: 1, documents, manifest: await this.#manifest(documents) };
      await this.#store.writeRecord(RECORD, JSON.stringify(next));
      this.#state = next;
      await this.#host.apply(next);
      await this.#deleteUnnamed(before);
    });
    this.#others?.postMessage("changed");
  }

  async #manifest(documents: StoredDocument[]): Promise<string> {
    if (documents.length === 0) return "";
    const { writeManifest } = await ingestModule.get();
    const model = documents.some(({ vectors }) => vectors > 0) ? this.#host.identity() : undefined;
    return new TextDecoder().decode(writeManifest(model, documents.map(({ entry }) => entry)));
  }

  async #deleteUnnamed(before: LocalState): Promise<void> {
    const kept = this.hashes;
    for (const sha256 of before.documents.flatMap(hashesOf)) if (!kept.has(sha256)) await this.#store.drop(sha256);
  }

  async #read(): Promise<LocalState> {
    const text = await this.#store.record(RECORD);
    if (text === undefined) return EMPTY;
    const state = JSON.parse(text) as LocalState;
    if (state.version === 1) return state;
    throw new QuerentError("version", "the added documents were stored by a newer Querent; update this page's scripts");
  }

  /** Runs changes one at a time, across all tabs where the browser has locks. */
  #alone<T>(change: () => Promise<T>): Promise<T> {
    const locks = globalThis.navigator?.locks;
    const run = async () => (locks ? await locks.request(this.#lockName, change) : await change());
    const result = this.#queue.then(run, run);
    this.#queue = result.catch(() => undefined);
    return result as Promise<T>;
  }
}

function hashesOf({ files, source }: StoredDocument): string[] {
  return [...files.map(({ sha256 }) => sha256), ...(source ? [source] : [])];
}

function withoutFiles({ entry: _entry, source: _source, files: _files, ...document }: StoredDocument): LocalDocument {
  return document;
}
