import assert from "node:assert/strict";
import { test } from "node:test";
import { Querent } from "../src/client.js";
import { QuerentError } from "../src/errors.js";
import type { Handlers } from "../src/protocol.js";
import type { SearchMode, SearchResponse } from "../src/types.js";
import { fakeHosts, response, type FakeHosts } from "./fake-host.js";

const OPTIONS = { url: "https://example.org/querent/", database: "test" };
const crashed = () => Promise.reject(new WebAssembly.RuntimeError("unreachable"));
const withCode = (code: string) => (error: unknown) => error instanceof QuerentError && error.code === code;

const search: Handlers["search"] = ({ request, semantic }) =>
  Promise.resolve(response({ ...request, mode: semantic ? "hybrid" : "lexical" }, semantic ? ["b", "a"] : ["a", "b"]));

async function withQuerent(
  make: (attempt: number) => Partial<Handlers>,
  body: (querent: Querent, hosts: FakeHosts) => Promise<void>,
): Promise<void> {
  const hosts = fakeHosts(make);
  const querent = await Querent.start(OPTIONS, hosts.start);
  try {
    await body(querent, hosts);
  } finally {
    await querent.destroy();
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(hosts.alive(), 0, "every host is ended");
  }
}

test("with a ready model the lexical response comes first", () =>
  withQuerent(
    () => ({ init: () => Promise.resolve({ modelState: "ready", documents: 2 }), search }),
    async (querent) => {
      const updates: SearchResponse[] = [];
      const last = await querent.search("x", { onUpdate: (update) => updates.push(update) });
      assert.deepEqual(updates.map(({ mode, hits }) => [mode, hits[0]?.path]), [["lexical", "a"]]);
      assert.deepEqual([last.mode, last.hits[0]?.path], ["hybrid", "b"]);
    },
  ));

test("without a model the only response is lexical, and nothing is updated", () =>
  withQuerent(
    () => ({ init: () => Promise.resolve({ modelState: "idle", documents: 2 }), search }),
    async (querent) => {
      const last = await querent.search("x", { onUpdate: () => assert.fail("an update") });
      assert.equal(last.mode, "lexical");
    },
  ));

test("until the model is ready the table embeds, behind the lexical response, and failing to be fetched costs nothing", () =>
  withQuerent(
    () => ({
      init: () => Promise.resolve({ modelState: "idle", documents: 2 }),
      search: ({ request, semantic }) => {
        assert.equal(semantic, false);
        if (request.mode === "lexical") return Promise.resolve(response(request, ["a", "b"]));
        if (request.query === "offline") return Promise.reject(new QuerentError("fetch", "no network"));
        assert.equal(request.queryEncoder, "table");
        return Promise.resolve({ ...response(request, ["b", "a"]), queryEncoder: "table" });
      },
    }),
    async (querent) => {
      const check = async (query: string, mode: SearchMode, withUpdate: boolean, expected: string) => {
        const updates: string[] = [];
        const onUpdate = (update: SearchResponse) => void updates.push(update.mode);
        const last = await querent.search(query, { mode, queryEncoder: "table", ...(withUpdate ? { onUpdate } : {}) });
        assert.equal([...updates, last.mode].join(), expected, query);
      };
      await check("x", "hybrid", true, "lexical,hybrid");
      await check("x", "hybrid", false, "hybrid");
      await check("x", "semantic", true, "semantic");
      await check("x", "lexical", true, "lexical");
      await check("offline", "hybrid", true, "lexical,lexical");
      await check("offline", "hybrid", false, "lexical");
    },
  ));

test("a reranked search shows the fused response first and asks for its mode again", () =>
  withQuerent(
    () => ({
      init: () => Promise.resolve({ modelState: "ready", documents: 2 }),
      search,
      rerank: ({ request, semantic, budget }) => {
        assert.deepEqual([semantic, budget, request.rerank], [true, 70, { candidates: 20, weight: 1 }]);
        assert.deepEqual(Object.keys(request).sort(), ["limit", "mode", "query", "rerank"]);
        return Promise.resolve(response(request, ["c"]));
      },
    }),
    async (querent) => {
      const updates: SearchResponse[] = [];
      const onUpdate = (update: SearchResponse) => updates.push(update);
      const last = await querent.search("x", { limit: 3, onUpdate, rerank: { budget: 70, weight: 1 } });
      assert.deepEqual(updates.map(({ mode }) => mode), ["lexical", "hybrid"]);
      assert.deepEqual([last.mode, last.hits[0]?.path], ["hybrid", "c"]);
    },
  ));

test("without a model the lexical response is reranked, within the budget that the client has", () =>
  withQuerent(
    () => ({
      search,
      rerank: ({ request, semantic, budget }) => {
        assert.deepEqual([semantic, budget, request.mode], [false, 2000, "lexical"]);
        return Promise.resolve(response(request, ["c"]));
      },
    }),
    async (querent) => assert.equal((await querent.search("x", { rerank: true })).hits[0]?.path, "c"),
  ));

test("settings of the client do not reach the engine", () =>
  withQuerent(
    () => ({
      search: ({ request }) => {
        assert.deepEqual(Object.keys(request).sort(), ["limit", "mode", "query"]);
        return Promise.resolve(response(request, []));
      },
    }),
    async (querent) => {
      const { signal } = new AbortController();
      await querent.search("x", { limit: 3, signal, semanticDelay: 5, onUpdate: () => undefined });
    },
  ));

test("after a trap the host is replaced and the query asked once more", () =>
  withQuerent(
    (attempt) => ({ search: attempt === 0 ? crashed : search }),
    async (querent, hosts) => {
      const events: string[] = [];
      querent.subscribe(({ type }) => events.push(type));
      assert.equal((await querent.search("x")).hits.length, 2);
      assert.deepEqual(events, ["restarted"]);
      assert.equal(hosts.alive(), 1);
    },
  ));

test("a query that always traps is given up after the second time", () =>
  withQuerent(() => ({ search: crashed }), async (querent) => {
    await assert.rejects(querent.search("x"), withCode("crashed"));
  }));

test("a worker that dies in the middle of a query is replaced", () =>
  withQuerent(
    (attempt) => ({ search: attempt === 0 ? () => new Promise(() => undefined) : search }),
    async (querent, hosts) => {
      const answer = querent.search("x");
      setTimeout(hosts.kill, 10);
      assert.equal((await answer).hits.length, 2);
    },
  ));

test("an update after abort never comes", () =>
  withQuerent(
    () => ({ init: () => Promise.resolve({ modelState: "ready", documents: 2 }), search }),
    async (querent) => {
      const controller = new AbortController();
      const answer = querent.search("x", { signal: controller.signal, semanticDelay: 20, onUpdate: () => controller.abort() });
      await assert.rejects(answer, withCode("aborted"));
    },
  ));

test("an unreadable document is reported and does not stop the others", () =>
  withQuerent(
    () => ({
      addDocument: ({ path, bytes }) =>
        path === "bad.md"
          ? Promise.reject(new QuerentError("read", "no text"))
          : Promise.resolve({ path, title: path, bytes: bytes.length, chunks: 1, questions: 0, vectors: 0, added: 0 }),
    }),
    async (querent) => {
      const results = await querent.addDocuments([
        { path: "bad.md", content: "" },
        { path: "good.md", content: "grüße" },
      ]);
      assert.deepEqual(
        results.map((result) => ("error" in result ? result.error.code : result.document.bytes)),
        ["read", 7],
      );
    },
  ));

test("after destroy everything is refused", async () => {
  const hosts = fakeHosts(() => ({ search }));
  const querent = await Querent.start(OPTIONS, hosts.start);
  await querent.destroy();
  await assert.rejects(querent.search("x"), withCode("destroyed"));
});

test("init fails with the host's own code", async () => {
  const hosts = fakeHosts(() => ({ init: () => Promise.reject(new QuerentError("version", "of another release")) }));
  await assert.rejects(Querent.start(OPTIONS, hosts.start), withCode("version"));
  assert.equal(hosts.alive(), 0);
});
