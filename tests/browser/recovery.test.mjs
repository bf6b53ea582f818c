// What goes wrong in the world: workers die, files arrive damaged, browsers forbid things.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addHostPage, inPage, search, withPage } from "./setup.mjs";

/** Leaves a Querent in `window.querent`. */
const start = (page, server, options = {}) =>
  inPage(
    page,
    server,
    async ({ Querent }, settings) => {
      window.querent = await Querent.init(settings);
      window.events = [];
      window.querent.subscribe(({ type }) => window.events.push(type));
    },
    options,
  );

const titles = (page, query) => page.evaluate(async (asked) => (await window.querent.search(asked)).hits.map(({ title }) => title), query);
const NOTE = [{ path: "zebra.md", content: "# Zebra crossing\n\nLook left.\n" }];

test("a worker that fails is replaced, and documents are still there", () =>
  withPage({ expected: /killed by the test/ }, async ({ page, server, troubles }) => {
    await page.goto(addHostPage(server));
    await start(page, server);
    await page.evaluate((note) => window.querent.addDocuments(note), NOTE);
    const before = await titles(page, "service worker");
    await page.workers()[0].evaluate(() => void setTimeout(() => { throw new Error("killed by the test"); }));
    assert.deepEqual(await titles(page, "service worker"), before);
    assert.deepEqual(await titles(page, "zebra"), ["Zebra crossing"]);
    assert.ok((await page.evaluate(() => window.events)).includes("restarted"));
    troubles.splice(0, troubles.length, ...troubles.filter((trouble) => !/killed by the test/.test(trouble)));
  }));

test("a worker that vanishes without a word is replaced", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    await start(page, server, { patience: 1000 });
    const before = await titles(page, "service worker");
    await page.workers()[0].evaluate(() => self.close());
    assert.deepEqual(await titles(page, "service worker"), before);
  }));

test("a damaged file is fetched again", () =>
  withPage({}, async ({ page, server }) => {
    server.damage(/\/querent\/directory[-.]/, 1);
    server.damage(/\/querent\/texts[-.]/, 1);
    await page.goto(addHostPage(server, "no-semantic"));
    await search(page, "service worker scope");
    const asked = server.requests.filter((path) => /\/querent\/texts[-.]/.test(path));
    assert.ok(asked.length > new Set(asked).size, "one file of texts was asked for twice");
  }));

test("a file that stays damaged gives an error that says what to do", () =>
  withPage({}, async ({ page, server }) => {
    server.damage(/\/querent\/texts[-.]/, 1000);
    await page.goto(addHostPage(server));
    await start(page, server);
    const error = await page.evaluate(() => window.querent.search("service worker").catch(({ code, message }) => ({ code, message })));
    assert.equal(error.code, "checksum");
    assert.match(error.message, /fetch the file again/);
    server.heal();
    assert.ok((await titles(page, "service worker")).length > 0, "and the next search works");
  }));

test("a module that the server has unpacked already still runs", () =>
  withPage({}, async ({ page, server }) => {
    server.unzip(/\.wasm\.gz$/);
    await page.goto(addHostPage(server, "no-semantic"));
    await search(page, "service worker scope");
  }));

test("wasm under a wrong type still runs", () =>
  withPage({}, async ({ page, server }) => {
    server.mislabel(/\.wasm(\.gz)?$/);
    await page.goto(addHostPage(server, "no-semantic"));
    await search(page, "service worker scope");
  }));

test("where workers are forbidden the page does the work itself", () =>
  withPage(
    { prepare: (context) => context.addInitScript(() => (window.Worker = class { constructor() { throw new Error("forbidden"); } })) },
    async ({ page, server }) => {
      await page.goto(addHostPage(server, "no-semantic"));
      await search(page, "service worker scope");
      assert.equal(page.workers().length, 0);
    },
  ));

test("a worker's script that cannot be loaded is an error, not a silence", () =>
  withPage({ expected: /Failed to load resource/ }, async ({ page, server }) => {
    server.deny(/querent-worker/);
    await page.goto(addHostPage(server));
    const failed = await inPage(page, server, ({ Querent }) => Querent.init().then(() => "started", ({ message }) => message));
    assert.notEqual(failed, "started");
  }));

test("without IndexedDB everything works from memory, and stats say so", () =>
  withPage({}, async ({ page, server }) => {
    server.prefix(/querent-worker/, "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });\n");
    await page.goto(addHostPage(server));
    await start(page, server);
    await page.evaluate((note) => window.querent.addDocuments(note), NOTE);
    assert.deepEqual(await titles(page, "zebra"), ["Zebra crossing"]);
    assert.equal((await page.evaluate(() => window.querent.stats())).storage, "memory");
  }));

test("a missing index is an error with its address", () =>
  withPage({ expected: /Failed to load resource/ }, async ({ page, server }) => {
    server.deny(/manifest\.json/);
    await page.goto(addHostPage(server));
    const error = await inPage(page, server, ({ Querent }) => Querent.init().catch(({ code, message }) => ({ code, message })));
    assert.equal(error.code, "fetch");
    assert.match(error.message, /manifest\.json answered 404/);
  }));
