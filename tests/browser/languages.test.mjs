// The module with the stemmers of all languages: loaded by readers of an index that needs it, and by no others.
//
// The folder beside the site's, `<site>-languages`, is the index of languages/, as `./build.sh test` makes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addHostPage, inPage, site, withPage } from "./setup.mjs";

const languages = `${site}-languages`;
const asked = (server, name) => server.requests.some((path) => path.includes(`/${name}.`));

/** Searches in a fresh page: for each query the paths of the hits and the first excerpt's matches. */
async function results(page, server, queries) {
  await page.goto(addHostPage(server));
  return await inPage(
    page,
    server,
    async ({ Querent }, texts) => {
      const querent = await Querent.init();
      const found = [];
      for (const text of texts) {
        const { hits } = await querent.search(text, { prefix: false });
        const [first] = hits;
        const matches = first?.highlights.map(({ start, end }) => first.excerpt.slice(start, end)) ?? [];
        found.push([hits.map(({ path }) => path), matches]);
      }
      return found;
    },
    queries,
  );
}

test("readers of an English index fetch no stemmers of other languages", () =>
  withPage({}, async ({ page, server }) => {
    const [[paths]] = await results(page, server, ["installing"]);
    assert.ok(paths.length > 0);
    assert.deepEqual([asked(server, "search"), asked(server, "search-languages")], [true, false]);
  }));

test("an index in other languages is searched with their stemmers", () =>
  withPage({ site: languages }, async ({ page, server }) => {
    assert.deepEqual(await results(page, server, ["Hauses", "borrowing", "所有権", "値"]), [
      [["haus.md"], ["Häuser"]],
      [["haus.md"], ["borrow"]],
      [["shoyuken.md"], ["所有権"]],
      [["shoyuken.md"], ["値"]],
    ]);
    assert.equal(asked(server, "search-languages"), true);
  }));

test("without that module words are found as they are written", () =>
  withPage({ site: languages, expected: /Failed to load resource/ }, async ({ page, server }) => {
    server.deny(/\/search-languages\./);
    assert.deepEqual(await results(page, server, ["Häuser", "Hausierer"]), [
      [["haus.md"], ["Häuser"]],
      [["hausierer.md"], ["Hausierer"]],
    ]);
  }));

test("the service worker keeps the module where the index needs it", () =>
  withPage({ site: languages }, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    const kept = await inPage(page, server, async ({ registerServiceWorker }) => {
      await registerServiceWorker();
      const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().some(({ url }) => url.includes("/search-languages."));
    });
    assert.equal(kept, true);
  }));
