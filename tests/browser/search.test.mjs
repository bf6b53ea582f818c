// The search box as a reader uses it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addHostPage, box, inPage, recordResults, search, semantic, withPage } from "./setup.mjs";

const QUERY = "service worker scope";

test("a reader types a query and opens the first hit by keyboard", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await page.locator("body").press("Control+k");
    await page.keyboard.type(QUERY);
    const { input, active, options } = box(page);
    await options.first().waitFor();
    assert.equal(await input.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    assert.equal(await input.getAttribute("aria-activedescendant"), await active.getAttribute("id"));
    const href = await active.evaluate((element) => element.href);
    assert.match(href, /offline-and-pwa/);
    await page.keyboard.press("Enter");
    await page.waitForURL(href);
  }));

test("the keys of the box", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    const options = await search(page, QUERY);
    const { input, active, list } = box(page);
    const count = await options.count();
    await page.keyboard.press("ArrowUp");
    assert.equal(await active.getAttribute("id"), await options.nth(count - 1).getAttribute("id"));
    await page.keyboard.press("Home");
    assert.equal(await active.getAttribute("id"), await options.first().getAttribute("id"));
    await page.keyboard.press("Escape");
    assert.equal(await list.isVisible(), false);
    assert.equal(await input.inputValue(), QUERY);
    await page.keyboard.press("Escape");
    assert.equal(await input.inputValue(), "");
    // Another input keeps its keys.
    await page.getByLabel("Name").press("Control+k");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "INPUT");
  }));

test("results name their section, mark what matched and say which question they answer", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await search(page, QUERY);
    const { list } = box(page);
    const marks = await list.locator("mark").allTextContents();
    assert.ok(marks.some((mark) => /service|worker|scope/i.test(mark)), `marks: ${marks.join()}`);
    assert.ok((await list.getByRole("group").count()) >= 1);
    const questions = await list.locator("[part=question]").allTextContents();
    assert.ok(questions.every((question) => question.startsWith("answers: ")), questions.join());
  }));

test("a screen reader hears how many documents were found, or that there are none", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await search(page, QUERY);
    const { status, input } = box(page);
    await status.filter({ hasText: /documents? found/ }).waitFor();
    await input.fill("qzxjvkwq");
    await status.filter({ hasText: "Nothing found" }).waitFor();
  }));

test("what is typed next replaces what was asked before", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await recordResults(page);
    const { input, options } = box(page);
    await input.pressSequentially("content security policy", { delay: 0 });
    await options.first().waitFor();
    await page.waitForFunction(() => window.shown.at(-1)?.query === "content security policy");
  }));

test("lexical results need nothing of the model, and the fused ones follow when it is there", { skip: semantic ? false : "the site was built without embeddings" }, () =>
  withPage({}, async ({ page, server }) => {
    const release = server.hold(/querent\/model/);
    await page.goto(addHostPage(server));
    await recordResults(page);
    await search(page, QUERY);
    await page.waitForFunction((query) => window.shown.at(-1)?.query === query, QUERY);
    assert.deepEqual(await page.evaluate(() => [...new Set(window.shown.map(({ mode }) => mode))]), ["lexical"]);
    const first = (pattern) => server.requests.findIndex((path) => pattern.test(path));
    for (let round = 0; first(/querent\/model/) < 0 && round < 100; round++) await page.waitForTimeout(50);
    assert.ok(first(/texts-/) < first(/querent\/model/), "the texts of the first results are asked for first");
    release();
    await page.waitForFunction(() => window.shown.at(-1)?.mode === "hybrid", null, { timeout: 60_000 });
  }));

test("the fused list moves nothing that the reader is at", { skip: semantic ? false : "the site was built without embeddings" }, () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    await recordResults(page);
    const release = server.hold(/querent\/model/);
    const query = "why does the page not load anything";
    await search(page, query);
    await page.waitForFunction((asked) => window.shown.at(-1)?.query === asked, query);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const { active } = box(page);
    await page.waitForTimeout(100);
    const at = { box: await active.boundingBox(), text: await active.textContent() };
    release();
    await page.waitForFunction(() => window.shown.at(-1)?.mode === "hybrid", null, { timeout: 60_000 });
    assert.deepEqual({ box: await active.boundingBox(), text: await active.textContent() }, at);
  }));

test("under Save-Data the model is left alone", () =>
  withPage(
    { prepare: (context) => context.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } })) },
    async ({ page, server }) => {
      await page.goto(addHostPage(server));
      await search(page, QUERY);
      await page.waitForTimeout(2000);
      assert.deepEqual(server.requests.filter((path) => /model/.test(path)), []);
    },
  ));

test("taken out of the page, the element gives everything back", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await search(page, QUERY);
    assert.equal(page.workers().length, 1);
    await page.evaluate(() => document.querySelector("querent-search").remove());
    await page.waitForFunction(() => true);
    for (let round = 0; page.workers().length > 0 && round < 50; round++) await page.waitForTimeout(20);
    assert.equal(page.workers().length, 0);
    await page.locator("body").press("Control+k");
  }));

test("a reranked search without a usable cross-encoder is refused, and the fused response was shown before", () =>
  withPage({ expected: /404/ }, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    server.add("querent/broken.q8.bin", "<!doctype html>", "application/octet-stream");
    const outcomes = await inPage(page, server, async ({ Querent }, packs) => {
      const outcomes = [];
      for (const pack of packs) {
        const rerank = pack === "" ? undefined : { url: new URL(pack, new URL("../querent/", location.href)) };
        const querent = await Querent.init(rerank ? { rerank } : {});
        const shown = [];
        const onUpdate = ({ hits }) => shown.push(hits.length > 0);
        const error = await querent.search("service worker scope", { mode: "lexical", onUpdate, rerank: true }).catch((thrown) => thrown);
        outcomes.push([error.code, shown]);
        await querent.destroy();
      }
      return outcomes;
    }, ["", "missing.q8.bin", "broken.q8.bin"]);
    assert.deepEqual(outcomes, [["no-model", [true]], ["fetch", [true]], ["model", [true]]]);
  }));
