// After the first visit nothing needs the network. The server is not only unreachable for the browser: it is gone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addHostPage, box, recordResults, search, semantic, withPage } from "./setup.mjs";

const firstPath = async (page, query) => {
  await search(page, query);
  await page.waitForFunction((wanted) => window.shown.at(-1)?.query === wanted, query);
  return await page.evaluate(() => window.shown.at(-1).paths[0]);
};

/** Takes the network and the server away, and comes back to the page. */
async function reloadOffline(page, context, server) {
  await context.setOffline(true);
  await server.close();
  await page.reload();
  await recordResults(page);
}

test("a reloaded page searches without a server, also for words that were never typed", () =>
  withPage({ path: "/deep/below/", expected: /Failed to load resource/ }, async ({ page, server, context }) => {
    await page.goto(`${server.url}querent/`);
    await page.locator("html[data-offline=ready]").waitFor({ timeout: 30_000 });
    await recordResults(page);
    const online = await firstPath(page, "service worker scope");
    await reloadOffline(page, context, server);
    assert.equal(await firstPath(page, "service worker scope"), online);
    assert.match(await firstPath(page, "mime types"), /deploying/);
    await page.locator("#network").waitFor();
  }));

test("the model is there too once it was used", { skip: semantic ? false : "the site was built without embeddings" }, () =>
  withPage({ expected: /Failed to load resource/ }, async ({ page, server, context }) => {
    const fused = () => page.waitForFunction(() => window.shown.at(-1)?.mode === "hybrid", null, { timeout: 60_000 });
    await page.goto(`${server.url}querent/`);
    await page.locator("html[data-offline=ready]").waitFor({ timeout: 30_000 });
    await recordResults(page);
    await search(page, "service worker scope");
    await fused();
    await reloadOffline(page, context, server);
    await search(page, "search without a network");
    await fused();
    assert.match(await box(page).footer.textContent(), /by words and meaning/);
  }));

test("imported by a service worker at the root, it serves the site's documents too", () =>
  withPage({ path: "/handbook/" }, async ({ page, server, context }) => {
    server.add("sw.js", 'importScripts("./querent/querent-sw.js");', "text/javascript");
    await page.goto(addHostPage(server, "no-semantic"));
    await page.evaluate(async (script) => {
      await navigator.serviceWorker.register(script);
      await navigator.serviceWorker.ready;
    }, `${server.url}sw.js`);
    await page.reload();
    await recordResults(page);
    const online = await firstPath(page, "service worker scope");
    await reloadOffline(page, context, server);
    assert.equal(await firstPath(page, "service worker scope"), online);
  }));
