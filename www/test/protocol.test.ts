import assert from "node:assert/strict";
import { test } from "node:test";
import { QuerentError } from "../src/errors.js";
import { Connection, serve, type Handlers, type HostEvent } from "../src/protocol.js";
import type { Progress } from "../src/types.js";
import { handlers, response } from "./fake-host.js";

const PATIENCE = 800;

/** Both ends of a channel; closed when the test is over. */
async function connected(
  change: Partial<Handlers>,
  body: (connection: Connection, emit: (event: HostEvent) => void, events: HostEvent[]) => Promise<void>,
): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const events: HostEvent[] = [];
  const connection = new Connection(port1, (event) => events.push(event), PATIENCE);
  const emit = serve(port2, handlers(change));
  port1.start();
  port2.start();
  try {
    await body(connection, emit, events);
  } finally {
    connection.fail(new QuerentError("destroyed", "over"));
    port1.close();
    port2.close();
  }
}

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const withCode = (code: string) => (error: unknown) => error instanceof QuerentError && error.code === code;

test("answers come to their own requests, in any order", () =>
  connected(
    {
      search: async ({ request }) => {
        await later(request.query === "slow" ? 30 : 0);
        return response(request, [`${request.query}.md`]);
      },
    },
    async (connection) => {
      const ask = (query: string) => connection.call("search", { request: { query }, semantic: false });
      const [slow, quick] = await Promise.all([ask("slow"), ask("quick")]);
      assert.deepEqual([slow.hits[0]?.path, quick.hits[0]?.path], ["slow.md", "quick.md"]);
    },
  ));

test("an error is an answer and keeps its code", () =>
  connected({ stats: () => Promise.reject(new QuerentError("version", "too new")) }, async (connection) => {
    await assert.rejects(connection.call("stats", undefined), withCode("version"));
  }));

test("a trap of the wasm is the code crashed", () =>
  connected({ stats: () => Promise.reject(new WebAssembly.RuntimeError("unreachable")) }, async (connection) => {
    await assert.rejects(connection.call("stats", undefined), withCode("crashed"));
  }));

test("a cancelled request is answered with aborted, and its handler can see it", () => {
  let seen = false;
  const search: Handlers["search"] = async ({ request }, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    seen = signal.aborted;
    return response(request, []);
  };
  return connected({ search }, async (connection) => {
    const controller = new AbortController();
    const answer = connection.call("search", { request: {}, semantic: false }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    await assert.rejects(answer, withCode("aborted"));
    assert.equal(seen, true);
    await assert.rejects(connection.call("stats", undefined, { signal: controller.signal }), withCode("aborted"));
  });
});

test("progress reaches the caller before the answer", () => {
  const download: Handlers["download"] = async (_input, { progress }) => {
    for (const done of [1, 2]) progress({ stage: "download", done, total: 2 });
    return 2;
  };
  return connected({ download }, async (connection) => {
    const seen: Progress[] = [];
    await connection.call("download", undefined, { onProgress: (progress) => seen.push(progress) });
    assert.deepEqual(seen.map(({ done }) => done), [1, 2]);
  });
});

test("everything pending is rejected when the other end dies", () =>
  connected({ stats: () => new Promise(() => undefined) }, async (connection) => {
    const pending = [connection.call("stats", undefined), connection.call("stats", undefined)];
    connection.fail(new QuerentError("crashed", "gone"));
    for (const call of pending) await assert.rejects(call, withCode("crashed"));
    await assert.rejects(connection.call("documents", undefined), withCode("crashed"));
  }));

test("a host that works long and answers pings is alive", () =>
  connected({ stats: () => later(1.5 * PATIENCE).then(() => Promise.reject(new QuerentError("late", ""))) }, async (connection) => {
    await assert.rejects(connection.call("stats", undefined), withCode("late"));
  }));

test("a host that says nothing at all is dead", () =>
  connected({ stats: () => new Promise(() => undefined), ping: () => new Promise(() => undefined) }, async (connection) => {
    await assert.rejects(connection.call("stats", undefined), withCode("crashed"));
  }));

test("events reach the listener", () =>
  connected({}, async (_connection, emit, events) => {
    emit({ type: "changed", what: "documents" });
    await later(10);
    assert.deepEqual(events.map(({ type }) => type), ["ready", "changed"]);
  }));
