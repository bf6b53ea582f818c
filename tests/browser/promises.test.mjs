// What Querent promises to every page: accessible, under a strict policy, below any path, without other origins.
// `withPage` itself demands the last three in every test; here the pages are gone through with that in mind.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { addHostPage, box, recordResults, search, withPage } from "./setup.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Findings of axe that a reader would feel. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1100, 320]) {
    test(`axe finds nothing serious, ${colorScheme}, ${width} pixels wide`, () =>
      withPage({ context: { colorScheme, viewport: { width, height: 800 } } }, async ({ page, server }) => {
        await page.goto(addHostPage(server, "no-semantic"));
        assert.deepEqual(await findings(page), [], "closed");
        await search(page, "service worker scope");
        await page.keyboard.press("ArrowDown");
        assert.deepEqual(await findings(page), [], "open");
        await page.goto(`${server.url}querent/`);
        await search(page, "service worker scope");
        await page.locator("#details").check();
        assert.deepEqual(await findings(page), [], "the page to try the index");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, "nothing sticks out sideways");
      }));
  }
}

test("the folder works below any path, and its hits lead there", () =>
  withPage({ path: "/a/b c/" }, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await search(page, "service worker scope");
    const href = await box(page).options.first().evaluate((element) => element.href);
    assert.ok(href.startsWith(`${server.origin}/a/b%20c/docs/`), href);
    const strays = server.requests.filter((path) => !path.startsWith("/a/b c/"));
    assert.deepEqual(strays, []);
  }));

test("a query costs few requests", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    await recordResults(page);
    await search(page, "service worker scope");
    await page.waitForFunction(() => window.shown.at(-1)?.query === "service worker scope");
    const asked = server.requests.filter((path) => path.startsWith("/querent/") && !path.endsWith(".svg"));
    assert.equal(new Set(asked).size, asked.length, `nothing is asked for twice: ${asked.join(" ")}`);
    // Script, worker, manifest, module and directory; terms and postings of three words. Texts lie in as many files as the
    // documents are large: those of ten hits, each with a section or two of it.
    const texts = asked.filter((path) => path.includes("/texts-"));
    assert.ok(asked.length - texts.length <= 10, `${asked.length - texts.length} requests without texts: ${asked.join(" ")}`);
    assert.ok(texts.length <= 20, `${texts.length} texts: ${texts.join(" ")}`);
    assert.ok(!asked.some((path) => /model|ingest/.test(path)), "nothing but the search module");
  }));

test("a second visit takes the files of the index from the database", () =>
  withPage({}, async ({ page, server }) => {
    const address = addHostPage(server, "no-semantic");
    await page.goto(address);
    await search(page, "service worker scope");
    // The first results come before the database is even opened: files are written a little later.
    await page.waitForFunction(async () => {
      const querent = await document.querySelector("querent-search").querent;
      return (await querent.stats()).storedBytes > 20_000;
    });
    // What is typed on the way is searched too when the machine is slow enough to see it, and may need another text: it
    // is written while the page waits, so that a later visit has it. A busy machine gets more visits.
    let asked = [];
    for (let visit = 0; visit < 6; visit++) {
      await page.waitForTimeout(1500);
      server.requests.length = 0;
      await page.goto(address);
      await search(page, "service worker scope");
      asked = server.requests.filter((path) => path.endsWith(".bin"));
      if (asked.length === 0) break;
    }
    assert.deepEqual(asked, []);
  }));
