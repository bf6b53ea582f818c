/**
 * Documents that the page added: one segment each, so that removing a document drops a segment.
 *
 * What must survive is one record, `local`: the list of documents and the manifest of their segments. A change
 * writes the new files first, the record second, and deletes what nobody names last; whatever is interrupted
 * leaves either the old state or the new one. The originals are kept too, so that a document can be indexed
 * again when the model arrives or the format changes. Several tabs take turns through a lock; whoever decides what
 * to delete reads the record again once it has its turn.
 */

import { QuerentError } from "../errors.js";
import { needsLanguages } from "../languages.js";
import type { BuiltFile, ModelIdentity, SegmentEntry } from "../generated/ingest.js";
import type { EmbeddingModel } from "../generated/model.js";
import type { LocalDocument, Progress } from "../types.js";
import { documentsModule, ingestModule } from "./modules.js";
import type { Model } from "./model.js";
import { sha256Hex } from "./pack.js";
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
  /** What made the vectors. */
  model: EmbeddingModel | undefined;
}

/** A change of the record. */
interface Change {
  added?: Built[];
  /** Paths. */
  removed?: string[];
  /** Documents that the change was made from. One that was replaced or removed meanwhile is left as it is now. */
  from?: StoredDocument[];
}

/** The added documents of one database. */
export class Documents {
  readonly #store: Store;
  readonly #model: Model;
  readonly #host: DocumentsHost;
  readonly #lockName: string;
  #others: BroadcastChannel | undefined;
  #state: LocalState = EMPTY;
  /** The record that `#state` was read from, or written to. */
  #text: string | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: Store, model: Model, host: DocumentsHost, database: string) {
    this.#store = store;
    this.#model = model;
    this.#host = host;
    this.#lockName = `querent documents ${database}`;
    if (typeof BroadcastChannel === "undefined") return;
    this.#others = new BroadcastChannel(this.#lockName);
    this.#others.onmessage = () => void this.refresh().catch(warnUnreadable);
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
  refresh(): Promise<void> {
    return this.#alone(() => this.#restore());
  }

  /** Indexes one document, or replaces the one of that path. */
  async add(path: string, bytes: Uint8Array, onProgress: (progress: Progress) => void): Promise<LocalDocument> {
    const built = await this.#build(path, bytes, onProgress);
    await this.#commit({ added: [built] });
    return withoutFiles(built.document);
  }

  /** Forgets one document. Says whether it was there. */
  async remove(path: string): Promise<boolean> {
    const there = this.#state.documents.some((document) => document.path === path);
    if (there) await this.#commit({ removed: [path] });
    return there;
  }

  /** The bytes that were added under a path. */
  async original(path: string): Promise<Uint8Array | undefined> {
    const source = this.#state.documents.find((document) => document.path === path)?.source;
    return source === undefined ? undefined : await this.#store.find(source);
  }

  /**
   * Indexes documents again, from their originals. What has no original any more stays as it is, or is forgotten
   * where it is of no use as it is.
   */
  async rebuild(which: (document: LocalDocument) => boolean, without: "keep" | "forget" = "keep"): Promise<void> {
    const from = this.#state.documents.filter(which);
    const added: Built[] = [];
    const gone: string[] = [];
    for (const document of from) {
      const original = document.source && (await this.#store.find(document.source));
      if (!original) {
        gone.push(document.path);
        continue;
      }
      const built = await this.#build(document.path, original, () => undefined);
      added.push({ ...built, document: { ...built.document, added: document.added } });
    }
    const removed = without === "forget" ? gone : [];
    if (added.length + removed.length > 0) await this.#commit({ added, removed, from });
    if (removed.length > 0) console.warn(`querent: nothing is left of ${removed.join(", ")}; add it again`);
  }

  /**
   * Does something about a part of a document that a search did not find: takes over what another tab has changed,
   * or indexes again what is incomplete and forgets that of which the original is gone too. Says whether it is
   * worth searching again.
   */
  async mend(): Promise<boolean> {
    const before = this.#text;
    await this.refresh();
    if (this.#text !== before) return true;
    const kept = new Set(await (await this.#store.opened).keys());
    const incomplete = this.#state.documents.filter(({ files }) => files.some(({ sha256 }) => !kept.has(sha256)));
    const paths = new Set(incomplete.map(({ path }) => path));
    await this.rebuild(({ path }) => paths.has(path), "forget");
    return paths.size > 0;
  }

  /** Runs something while no tab changes the documents, and with the documents as they are then. */
  exclusively(action: () => Promise<void>): Promise<void> {
    return this.#alone(async () => {
      await this.#restore();
      await action();
    });
  }

  /** Listens to other tabs no longer. */
  destroy(): void {
    this.#others?.close();
    this.#others = undefined;
  }

  async #build(path: string, bytes: Uint8Array, onProgress: (progress: Progress) => void): Promise<Built> {
    onProgress({ stage: "prepare", done: 0, total: bytes.length });
    const { Ingest } = await (isPacked(path, bytes) ? documentsModule : ingestModule).get();
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
    return { document, original: bytes, files, model };
  }

  /** One change of the record; see the top of this file for the order of its steps. */
  async #commit(change: Change): Promise<void> {
    await this.#alone(async () => {
      const before = parse(await this.#store.record(RECORD));
      const { added, removed } = stillMeant(change, before);
      if (added.some(({ model }) => model && model !== this.#model.ready)) {
        throw new QuerentError("model-mismatch", "the index was published with another model meanwhile; add the document again");
      }
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
      const text = JSON.stringify(next);
      await this.#store.writeRecord(RECORD, text);
      [this.#text, this.#state] = [text, next];
      await this.#host.apply(next);
      await this.#deleteUnnamed(before);
    });
    this.#others?.postMessage("changed");
  }

  /** To be called by whoever has the lock: a change that came in between would be taken back. */
  async #restore(): Promise<void> {
    const text = await this.#store.record(RECORD);
    if (text === this.#text) return;
    const state = parse(text);
    [this.#text, this.#state] = [text, state];
    await this.#host.apply(state);
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

  /** Runs changes one at a time, across all tabs where the browser has locks. */
  #alone<T>(change: () => Promise<T>): Promise<T> {
    const locks = globalThis.navigator?.locks;
    const run = async () => (locks ? await locks.request(this.#lockName, change) : await change());
    const result = this.#queue.then(run, run);
    this.#queue = result.catch(() => undefined);
    return result as Promise<T>;
  }
}

/** Whether the documents that were added on an earlier visit need stemmers of other languages than English. */
export async function storedLanguages(store: Store): Promise<boolean> {
  return (await store.exists) && needsLanguages(parse(await store.record(RECORD)).manifest);
}

/** Says that the added documents are not searched, and why. */
export function warnUnreadable(thrown: unknown): void {
  console.warn("querent: the added documents cannot be read:", QuerentError.from(thrown).message);
}

/** Whether a file needs the readers of PDF and DOCX: by its first bytes, and by its name where it is damaged. */
function isPacked(path: string, bytes: Uint8Array): boolean {
  const begins = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
  const [pdf, zip, ole] = [begins(0x25, 0x50, 0x44, 0x46), begins(0x50, 0x4b, 3, 4), begins(0xd0, 0xcf, 0x11, 0xe0)];
  return pdf || zip || ole || /\.(?:pdf|doc[xm])$/i.test(path);
}

function parse(text: string | undefined): LocalState {
  if (text === undefined) return EMPTY;
  const state = JSON.parse(text) as LocalState;
  if (state.version === 1) return state;
  throw new QuerentError("version", "the added documents were stored by a newer Querent; update this page's scripts");
}

/** What is left of a change after those that came before it. */
function stillMeant({ added = [], removed = [], from }: Change, before: LocalState): { added: Built[]; removed: string[] } {
  if (!from) return { added, removed };
  const there = new Map(before.documents.map((document) => [document.path, document]));
  const same = (one: StoredDocument) => there.get(one.path)?.added === one.added && there.get(one.path)?.source === one.source;
  const meant = new Set(from.filter(same).map(({ path }) => path));
  return { added: added.filter(({ document }) => meant.has(document.path)), removed: removed.filter((path) => meant.has(path)) };
}

function hashesOf({ files, source }: StoredDocument): string[] {
  return [...files.map(({ sha256 }) => sha256), ...(source ? [source] : [])];
}

function withoutFiles({ entry: _entry, source: _source, files: _files, ...document }: StoredDocument): LocalDocument {
  return document;
}
