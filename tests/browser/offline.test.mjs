// After the first visit nothing needs the network. The server is not only unreachable for the browser: it is gone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addHostPage, box, inPage, recordResults, search, semantic, site, withPage } from "./setup.mjs";

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
    // The page takes the table, which needs no model.
    const takeModel = () => page.locator("querent-search").evaluate((element) => element.setAttribute("query-encoder", "model"));
    const fused = () => page.waitForFunction(() => window.shown.at(-1)?.mode === "hybrid", null, { timeout: 60_000 });
    await page.goto(`${server.url}querent/`);
    await page.locator("html[data-offline=ready]").waitFor({ timeout: 30_000 });
    await recordResults(page);
    await takeModel();
    await search(page, "service worker scope");
    await fused();
    await reloadOffline(page, context, server);
    await takeModel();
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

/** The service worker of another release, which has one module more. */
const nextRelease = () =>
  readFileSync(join(site, "querent", "querent-sw.js"), "utf8")
    .replace(/"[0-9a-f]{16}"/, '"fedcba9876543210"')
    .replace('"querent.js"', '"querent.js","added.fedcba9876543210.js"');

const caches = (page) => page.evaluate(async () => {
  const keys = await window.caches.keys();
  return await Promise.all(keys.map(async (key) => [key.split(" ").at(-1), (await (await window.caches.open(key)).keys()).length]));
});

test("a release of which a part is missing does not take the place of a whole one", () =>
  withPage({ expected: /Failed to load resource/ }, async ({ page, server, context }) => {
    await page.goto(`${server.url}querent/`);
    await page.locator("html[data-offline=ready]").waitFor({ timeout: 30_000 });
    await recordResults(page);
    const online = await firstPath(page, "service worker scope");
    const [[version]] = await caches(page);
    server.add("querent/querent-sw.js", nextRelease(), "text/javascript");
    const update = () => page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration.update().catch(() => undefined);
      const worker = registration.installing;
      if (worker) await new Promise((resolve) => (worker.onstatechange = () => /activated|redundant/.test(worker.state) && resolve()));
    });
    await update();
    assert.ok((await caches(page)).some(([name]) => name === version), "the cache of the release before is there");
    await reloadOffline(page, context, server);
    assert.equal(await firstPath(page, "service worker scope"), online);
  }));

test("a whole release takes the place of the one before", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(`${server.url}querent/`);
    await page.locator("html[data-offline=ready]").waitFor({ timeout: 30_000 });
    server.add("querent/querent-sw.js", nextRelease(), "text/javascript");
    server.add("querent/added.fedcba9876543210.js", "", "text/javascript");
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration()).update()));
    await page.waitForFunction(async () => {
      const keys = await window.caches.keys();
      return keys.length === 1 && keys[0].endsWith("fedcba9876543210");
    });
  }));

test("on a first visit a part that is missing is an error", () =>
  withPage({ expected: /Failed to load resource/ }, async ({ page, server }) => {
    server.deny(/querent\/store\..*\.js$/);
    await page.goto(addHostPage(server, "no-semantic"));
    const message = await inPage(page, server, ({ registerServiceWorker }) => registerServiceWorker().then(() => "kept", (error) => error.message));
    assert.match(message, /could not be installed/);
  }));
