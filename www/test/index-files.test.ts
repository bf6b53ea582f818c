import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { QuerentError } from "../src/errors.js";
import { IndexFiles } from "../src/host/index-files.js";
import type { FileEntry, SearchEngine } from "../src/generated/search.js";
import { sha256Hex } from "../src/host/pack.js";
import type { Store } from "../src/host/store.js";

const GOOD = Uint8Array.of(1, 2, 3);
const BAD = Uint8Array.of(1, 2, 4);
const FILE: FileEntry = { name: "terms-1", kind: "terms", bytes: 3, sha256: "aa" };

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

/** Loads one file from a store and a network that hold what is given, and tells what happened. */
async function load(stored: Uint8Array | undefined, network: (Uint8Array | number)[], local = false): Promise<string> {
  const log: string[] = [];
  globalThis.fetch = (async (url: URL, init: RequestInit) => {
    log.push(`fetch ${url.pathname} ${init.cache}`);
    const next = network.shift();
    if (next === undefined) throw new TypeError("offline");
    return typeof next === "number" ? new Response("", { status: next }) : new Response(next.slice());
  }) as typeof fetch;
  const engine = {
    load: (_name: string, bytes: Uint8Array) => {
      if (bytes.join() !== GOOD.join()) throw Object.assign(new Error("damaged"), { code: "checksum" });
      log.push("loaded");
    },
  };
  const store = {
    find: async () => stored,
    drop: async () => void log.push("dropped"),
    keep: () => void log.push("kept"),
  };
  // The two faces that the loader uses, and nothing else of them.
  const files = new IndexFiles(engine as unknown as SearchEngine, store as unknown as Store, new URL("https://x.test/q/"));
  if (local) files.local = new Set([FILE.sha256]);
  try {
    await Promise.all([files.load([FILE]), files.load([FILE])]);
  } catch (thrown) {
    log.push(QuerentError.from(thrown).code);
  }
  return log.join(", ");
}

test("stored bytes first, then the network, then the network past its caches", async () => {
  const rows: [Uint8Array | undefined, (Uint8Array | number)[], string][] = [
    [GOOD, [], "loaded"],
    [undefined, [GOOD], "fetch /q/terms-1 default, loaded, kept"],
    [BAD, [GOOD], "dropped, fetch /q/terms-1 default, loaded, kept"],
    [BAD, [BAD, GOOD], "dropped, fetch /q/terms-1 default, fetch /q/terms-1 reload, loaded, kept"],
    [undefined, [BAD, BAD], "fetch /q/terms-1 default, fetch /q/terms-1 reload, checksum"],
    [undefined, [404], "fetch /q/terms-1 default, fetch"],
    [undefined, [], "fetch /q/terms-1 default, fetch"],
  ];
  for (const [stored, network, expected] of rows) assert.equal(await load(stored, [...network]), expected);
});

test("only whole files are kept for later", async () => {
  const file = { ...FILE, sha256: (await sha256Hex(GOOD) ?? "").slice(0, 16) };
  const rows: [Uint8Array | undefined, Uint8Array[], string][] = [
    [GOOD, [], ""],
    [undefined, [GOOD], "default, put 1,2,3"],
    [BAD, [GOOD], "default, put 1,2,3"],
    [undefined, [BAD, GOOD], "default, reload, put 1,2,3"],
    [undefined, [BAD, BAD], "default, reload, checksum"],
    [undefined, [Uint8Array.of(1), GOOD], "default, reload, put 1,2,3"],
  ];
  for (const [stored, network, expected] of rows) {
    const log: string[] = [];
    globalThis.fetch = (async (_url: URL, init: RequestInit) => {
      log.push(String(init.cache));
      return new Response(network.shift()?.slice());
    }) as typeof fetch;
    const opened = { put: async (_sha256: string, bytes: Uint8Array) => void log.push(`put ${bytes.join()}`) };
    const store = { find: async () => stored, opened: Promise.resolve(opened) };
    const files = new IndexFiles({} as SearchEngine, store as unknown as Store, new URL("https://x.test/q/"));
    await files.download(file).catch((thrown: unknown) => log.push(QuerentError.from(thrown).code));
    assert.equal(log.join(", "), expected);
  }
});

test("a file that this browser made is never asked of the network", async () => {
  assert.equal(await load(undefined, [GOOD], true), "lost");
});
