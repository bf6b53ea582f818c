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

test("a change of the documents searches what is typed now, not what is shown", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await recordResults(page);
    await search(page, "offline");
    await page.waitForFunction(() => window.shown.at(-1)?.query === "offline");
    await page.evaluate(async () => {
      const element = document.querySelector("querent-search");
      const querent = await element.querent;
      const original = querent.search.bind(querent);
      let isHeld = true;
      let release;
      const until = new Promise((resolve) => (release = resolve));
      querent.search = async (query, options) => {
        if (query === "zebra" && isHeld) await until;
        return await original(query, options);
      };
      element.value = "zebra";
      await querent.addDocuments([{ path: "zebra.md", content: "# Zebra\n\nA zebra works offline.\n" }]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      isHeld = false;
      release();
    });
    await page.waitForFunction(() => window.shown.at(-1)?.paths[0] === "zebra.md" && window.shown.at(-1).query === "zebra");
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => window.shown.at(-1).query), "zebra");
  }));

test("a screen reader hears that a search failed", () =>
  withPage({ expected: /Failed to load resource/ }, async ({ page, server }) => {
    server.deny(/manifest\.json/);
    await page.goto(addHostPage(server, "no-semantic"));
    const { status, input } = box(page);
    await input.pressSequentially("offline");
    await status.filter({ hasText: /^Search failed: .*manifest\.json/ }).waitFor();
  }));

test("a screen reader hears once that the model is being loaded, and that it is there", { skip: semantic ? false : "the site was built without embeddings" }, () =>
  withPage({}, async ({ page, server }) => {
    const release = server.hold(/querent\/model\//);
    await page.goto(addHostPage(server));
    await page.evaluate(() => {
      window.heard = [];
      const live = document.querySelector("querent-search").shadowRoot.querySelector("[role=status]");
      new MutationObserver(() => window.heard.push(live.textContent)).observe(live, { childList: true });
    });
    await search(page, QUERY);
    await page.waitForFunction(() => /loading the model/.test(window.heard.join()));
    await page.waitForTimeout(700);
    release();
    await page.waitForFunction(() => /the model is loaded/.test(window.heard.join()), null, { timeout: 60_000 });
    await page.waitForTimeout(700);
    const heard = await page.evaluate(() => window.heard.join(" | "));
    assert.match(heard, /documents? found/);
    for (const once of ["loading the model", "the model is loaded"]) assert.equal(heard.split(once).length, 2, heard);
  }));

test("the shortcut is told to screen readers, and new strings are used for what is shown already", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    const { input, options, footer } = box(page);
    assert.equal(await input.getAttribute("aria-keyshortcuts"), "Control+K Meta+K");
    await search(page, "offline");
    const question = page.locator("querent-search [part=question] b").first();
    await question.filter({ hasText: "answers:" }).waitFor();
    await page.keyboard.press("ArrowDown");
    const count = await options.count();
    await page.evaluate(() => {
      const element = document.querySelector("querent-search");
      element.strings = { answers: "antwortet auf:", shown: (shown) => `${shown} Dokumente` };
      element.setAttribute("shortcut", "/");
    });
    await question.filter({ hasText: "antwortet auf:" }).waitFor();
    await footer.filter({ hasText: "Dokumente" }).waitFor();
    assert.equal(await options.count(), count);
    const first = await options.first().getAttribute("id");
    assert.deepEqual([await input.getAttribute("aria-activedescendant"), await input.getAttribute("aria-keyshortcuts")], [first, "/"]);
    await page.evaluate(() => document.querySelector("querent-search").setAttribute("shortcut", "none"));
    assert.equal(await input.getAttribute("aria-keyshortcuts"), null);
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
