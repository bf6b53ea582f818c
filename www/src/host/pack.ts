/**
 * A model's weights: a pack that a small JSON file beside the manifest names (`model.json`, `reranker.json`). The
 * pack is kept by its hash, so that it is downloaded once per browser.
 */

import { QuerentError } from "../errors.js";
import type { ModelIdentity } from "../generated/search.js";
import type { Progress } from "../types.js";
import { fetchOk } from "./fetch.js";
import type { Store } from "./store.js";

/** `model.json` and `reranker.json`. */
export interface PackFile {
  identity?: ModelIdentity;
  /** The weights, relative to the JSON file. */
  file: string;
  bytes: number;
  sha256: string;
}

/** The pack that one JSON file names. */
export class Pack {
  readonly #store: Store;
  readonly #url: URL;
  readonly #record: string;

  /** @param record the JSON file's name, which is also that of the record it is remembered under */
  constructor(store: Store, base: URL, record: string) {
    this.#store = store;
    this.#url = new URL(record, base);
    this.#record = record;
  }

  /** Hashes of stored files that belong to the model. */
  async storedHashes(): Promise<string[]> {
    const text = await this.#store.record(this.#record);
    const file = text === undefined ? undefined : packFile(text);
    return file ? [file.sha256] : [];
  }

  /**
   * What names the pack, from the network or as it was when the network last answered.
   *
   * @throws `fetch`, or `missing` where the server says that there is none
   */
  async description(missing?: QuerentError): Promise<PackFile> {
    try {
      const text = await (await fetchOk(this.#url, { cache: "no-cache" }, missing)).text();
      const file = packFile(text);
      // Some hosts answer for every file that is not there with their start page.
      if (!file) throw missing ?? new QuerentError("fetch", `${this.#url.href} is no description of a model; copy the folder of the index again`);
      this.#store.keepRecord(this.#record, text);
      return file;
    } catch (thrown) {
      if (thrown === missing) throw thrown;
      const text = await this.#store.record(this.#record).catch(() => undefined);
      const file = text === undefined ? undefined : packFile(text);
      if (!file) throw thrown;
      return file;
    }
  }

  /**
   * The bytes of `file`: those that are kept, else from the network.
   *
   * @throws `fetch`, or `checksum` when they are not the ones that were written
   */
  async bytes(file: PackFile, onProgress: (progress: Progress) => void): Promise<Uint8Array> {
    const stored = await this.#store.find(file.sha256);
    if (stored?.length === file.bytes) return stored;
    const url = new URL(file.file, this.#url);
    for (const cache of ["default", "reload"] as const) {
      const response = await fetchOk(url, { cache, priority: "low" });
      const bytes = await readWithProgress(response, file.bytes, (done) =>
        onProgress({ stage: "download", done, total: file.bytes }),
      );
      if (bytes.length !== file.bytes || !(await hashMatches(bytes, file.sha256))) continue;
      this.#store.keep(file.sha256, bytes, "model");
      return bytes;
    }
    throw new QuerentError("checksum", `${url.href} is damaged; build the index again`);
  }
}

/** What `text` says of a pack; nothing where it says something else. */
function packFile(text: string): PackFile | undefined {
  try {
    const file = JSON.parse(text) as Partial<PackFile> | null;
    const isOne = typeof file?.file === "string" && typeof file.bytes === "number" && typeof file.sha256 === "string";
    return isOne ? (file as PackFile) : undefined;
  } catch {
    return undefined;
  }
}

/** The body of a response of about `expected` bytes. */
export async function readWithProgress(response: Response, expected: number, onBytes: (done: number) => void): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  let bytes = new Uint8Array(expected);
  let done = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (done + part.value.length > bytes.length) {
      // Longer than promised: keep it, so that the caller's check says so.
      const longer = new Uint8Array((done + part.value.length) * 2);
      longer.set(bytes.subarray(0, done));
      bytes = longer;
    }
    bytes.set(part.value, done);
    done += part.value.length;
    onBytes(done);
  }
  return bytes.subarray(0, done);
}

/**
 * Whether a hash begins as `sha256` does, which may be shortened as in a manifest. True where hashing is not to be
 * had (an insecure origin): whoever uses the bytes has checks of their own.
 */
export async function hashMatches(bytes: Uint8Array<ArrayBufferLike>, sha256: string): Promise<boolean> {
  const hash = await sha256Hex(bytes);
  return hash === undefined || hash.startsWith(sha256);
}

/** SHA-256 in hexadecimal; nothing on an origin that the browser does not call secure. */
export async function sha256Hex(bytes: Uint8Array): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
