// Meaning without the model: the network is watched.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addHostPage, box, inPage, recordResults, search, semantic, site, withPage } from "./setup.mjs";

const skip = semantic ? false : "the site's index has no vectors";
const BORROWED = "why can't I modify a variable while it is borrowed";
const asked = (server, pattern) => server.requests.filter((path) => pattern.test(path));
const bytes = (server, pattern) =>
  asked(server, pattern).reduce((sum, path) => sum + readFileSync(join(site, "querent", path.split("/").pop())).length, 0);

test("the box searches by meaning, behind its lexical answer, and never asks for the model", { skip }, () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, 'query-encoder="table" explain'));
    await recordResults(page);
    await search(page, "how can readers find things with no internet connection ");
    await page.waitForFunction(() => window.shown.some(({ mode }) => mode === "hybrid"));
    const shown = await page.evaluate(() => window.shown);
    assert.equal(shown[0].mode, "lexical");
    assert.ok((await box(page).options.count()) > 0);
    const first = server.requests.findIndex((path) => /\/(vectors|encoder)-/.test(path));
    const texts = server.requests.findIndex((path) => /\/texts-/.test(path));
    assert.ok(texts >= 0 && first > texts, "the lexical answer's files come first");
    // Longer than the box waits before it would load the model.
    await page.waitForTimeout(2500);
    assert.deepEqual(asked(server, /\/model[\w.]*\.(json|wasm|js|bin)|\/model\/|q8\.bin/), []);
  }));

test("a query without the model costs a head, vectors and a few shards, and says what embedded it", { skip }, () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    const outcome = await inPage(page, server, async ({ Querent }, query) => {
      const querent = await Querent.init();
      const shown = [];
      const last = await querent.search(query, { queryEncoder: "table", explain: true, onUpdate: ({ mode }) => shown.push(mode) });
      const { queryEncoder } = await querent.search("offline", { mode: "semantic", queryEncoder: "table" });
      return { shown, mode: last.mode, by: last.queryEncoder, explanation: JSON.stringify(last.hits[0].explanation), queryEncoder, paths: last.hits.map(({ path }) => path) };
    }, "how can readers find things with no internet connection");
    assert.deepEqual([outcome.shown, outcome.mode, outcome.by, outcome.queryEncoder], [["lexical"], "hybrid", "table", "table"]);
    assert.match(outcome.explanation, /embedded by the table/);
    const shards = asked(server, /\/encoder-/).length;
    assert.ok(shards >= 2 && shards <= 12, `${shards} files of the encoder`);
    assert.ok(bytes(server, /\/encoder-/) < 600_000, `${bytes(server, /\/encoder-/)} bytes of the encoder`);
    assert.deepEqual(asked(server, /q8\.bin|model\.json/), []);
  }));

test("the borrowing chapter is found with the model never requested", { skip: process.env.QUERENT_BOOKS ? false : "this toolchain has no Rust book" }, () =>
  withPage({ site: process.env.QUERENT_BOOKS }, async ({ page, server }) => {
    await page.goto(`${server.url}querent/`);
    await recordResults(page);
    await search(page, `${BORROWED} `);
    await page.waitForFunction(() => window.shown.some(({ mode }) => mode === "hybrid"));
    const paths = await inPage(page, server, async ({ Querent }, query) => {
      const querent = await Querent.init();
      const { hits } = await querent.search(query, { mode: "semantic", queryEncoder: "table" });
      return hits.map(({ path }) => path);
    }, BORROWED);
    assert.match(paths.slice(0, 3).join(), /ch04-02|ch15-05/);
    assert.match(await box(page).options.first().innerText(), /borrow|mutab/i);
    await page.waitForTimeout(2500);
    assert.deepEqual(asked(server, /q8\.bin|model\.json|\/model\//), []);
  }));
