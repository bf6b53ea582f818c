// Vectors of two models are never compared, whoever mixes them up: a copied folder, or a site that is published again.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { initSync, writeManifest } from "../../www/src/generated/ingest.js";
import { addHostPage, inPage, semantic, site, withPage } from "./setup.mjs";

initSync({ module: readFileSync(new URL("../../www/src/generated/ingest_bg.wasm", import.meta.url)) });

const skip = semantic ? false : "the site was built without embeddings";
const read = (name) => JSON.parse(readFileSync(join(site, "querent", name), "utf8"));
const addJson = (server, name, content) => server.add(`querent/${name}`, JSON.stringify(content), "application/json");

/** The site's manifest as if another model had made its vectors. */
const ofAnotherModel = (change) => {
  const { model, segments } = read("manifest.json");
  return JSON.parse(new TextDecoder().decode(writeManifest({ ...model, ...change }, segments)));
};

const OTHER = "0".repeat(64);

for (const [what, change, description] of [
  ["other weights", { weights_sha256: OTHER }, read("model.json")],
  ["another tokenizer", { tokenizer_sha256: OTHER }, read("model.json")],
  ["other weights, which only the pack tells", { weights_sha256: OTHER }, { ...read("model.json"), identity: undefined }],
]) {
  test(`a model with ${what} is refused, and nothing is searched with it`, { skip }, () =>
    withPage({}, async ({ page, server }) => {
      addJson(server, "manifest.json", ofAnotherModel(change));
      addJson(server, "model.json", description);
      await page.goto(addHostPage(server));
      const outcome = await inPage(page, server, async ({ Querent }) => {
        const querent = await Querent.init();
        const refused = () => ({ code }) => code;
        const load = await querent.loadModel().then(() => "loaded", refused());
        const state = querent.modelState;
        const { mode } = await querent.search("how do I serve it offline");
        const semantically = await querent.search("offline", { mode: "semantic" }).then(() => "searched", refused());
        return { load, state, mode, semantically };
      });
      assert.deepEqual(outcome, { load: "model-mismatch", state: "failed", mode: "lexical", semantically: "model-mismatch" });
    }));
}

test("a site that is published again with another model is searched by words until that one is loaded", { skip }, () =>
  withPage({ expected: /Failed to load resource/ }, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    await inPage(page, server, async ({ Querent }) => {
      window.querent = await Querent.init();
      window.events = [];
      window.querent.subscribe((event) => window.events.push(event.what ?? event.state));
      await window.querent.loadModel();
      await window.querent.addDocuments([{ path: "zebra.md", content: "# Zebra crossing\n\nLook left and then right.\n" }]);
    });
    // Until the page has asked for the new manifest, the texts are gone.
    const manifests = () => server.requests.filter((path) => path.endsWith("manifest.json")).length;
    server.deny({ test: (path) => manifests() < 2 && /\/texts-/.test(path) });
    addJson(server, "manifest.json", ofAnotherModel({ weights_sha256: OTHER }));
    const search = (query) => page.evaluate(async (asked) => {
      const { mode, hits } = await window.querent.search(asked);
      return [mode, hits[0]?.title];
    }, query);
    const [mode, title] = await search("how do I serve it offline");
    assert.deepEqual([mode, typeof title], ["lexical", "string"]);
    assert.equal(await page.evaluate(() => window.querent.modelState), "idle");
    assert.ok((await page.evaluate(() => window.events)).includes("index"));
    await page.waitForFunction(async () => (await window.querent.documents())[0]?.vectors === 0);
    assert.deepEqual(await search("zebra crossing"), ["lexical", "Zebra crossing"]);
  }));
