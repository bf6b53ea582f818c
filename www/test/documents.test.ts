import assert from "node:assert/strict";
import { test } from "node:test";
import { Documents, type LocalState } from "../src/host/documents.js";
import type { Model } from "../src/host/model.js";
import type { Store } from "../src/host/store.js";

/** A record of documents by path, each with one file and an original. */
function record(paths: string[]): string {
  const documents = paths.map((path, at) => ({
    path,
    title: path,
    bytes: 1,
    chunks: 1,
    questions: 0,
    vectors: 0,
    added: at,
    source: `original of ${path}`,
    entry: {} as LocalState["documents"][number]["entry"],
    files: [{ name: `${path}.bin`, sha256: `file of ${path}` }],
  }));
  return JSON.stringify({ version: 1, documents, manifest: paths.join() } satisfies LocalState);
}

/** Runs `body` with documents in a store that it may write to as another tab would. */
async function withDocuments(
  body: (documents: Documents, disk: { record: string | undefined }, applied: string[]) => Promise<void>,
): Promise<void> {
  const disk: { record: string | undefined } = { record: undefined };
  const applied: string[] = [];
  const store = { record: async () => disk.record };
  const host = { apply: async ({ manifest }: LocalState) => void applied.push(manifest), identity: () => undefined };
  // The faces that are used here, and nothing else of them.
  const documents = new Documents(store as unknown as Store, {} as Model, host, "test");
  try {
    await body(documents, disk, applied);
  } finally {
    documents.destroy();
  }
}

test("whoever decides what to delete knows what other tabs have added meanwhile", () =>
  withDocuments(async (documents, disk) => {
    disk.record = record(["a"]);
    await documents.refresh();
    disk.record = record(["a", "b"]);
    let kept: string[] = [];
    await documents.exclusively(async () => void (kept = [...documents.hashes]));
    assert.deepEqual(kept, ["file of a", "original of a", "file of b", "original of b"]);
  }));

test("nothing is decided while the record cannot be read", () =>
  withDocuments(async (documents, disk) => {
    disk.record = '{"version":2}';
    await assert.rejects(documents.exclusively(() => assert.fail("decided")), { code: "version" });
  }));

test("changes take their turns, and a state is applied once", () =>
  withDocuments(async (documents, disk, applied) => {
    disk.record = record(["a"]);
    const first = documents.exclusively(async () => void (disk.record = record(["b"])));
    await Promise.all([first, documents.refresh(), documents.refresh()]);
    assert.deepEqual(applied, ["a", "b"]);
    assert.deepEqual(documents.list.map(({ path }) => path), ["b"]);
  }));
