// A real model answers in the pane, over Querent's own documents and through the guide's proxy. `./build.sh llm --test` starts
// the model; without QUERENT_TEST_LLM_URL and QUERENT_TEST_LLM_MODEL there is nothing to ask.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startProxy } from "./proxy.mjs";
import { POLICY, serve } from "./serve.mjs";
import { addHostPage, launch, search, site } from "./setup.mjs";

const { QUERENT_TEST_LLM_URL: url, QUERENT_TEST_LLM_MODEL: model } = process.env;
const QUESTIONS = [
  "which header holds the key of the language model",
  "how do I change the port of the preview server",
  "how do I leave a folder out of the index",
  "what does the flag --dry-run do",
  "what is a chunk",
];
/** Six passages take a small model on one thread a minute. */
const PATIENCE = 300_000;

test("a real model streams a cited answer in the pane", { skip: url && model ? false : "no model: ./build.sh llm --test", timeout: QUESTIONS.length * PATIENCE }, async () => {
  // The site's origin has to be known to the proxy, and the proxy's to the site's policy.
  const probe = await serve(site);
  const port = new URL(probe.origin).port;
  await probe.close();
  const proxy = await startProxy({ LLM_URL: url, LLM_MODEL: model, LLM_KEY: "a-key-that-stays-with-the-proxy", SITE: `http://127.0.0.1:${port}` });
  const server = await serve(site, { policy: `${POLICY}; connect-src 'self' ${proxy.origin}`, port: Number(port) });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(addHostPage(server, `no-semantic ask-url="${proxy.url}" ask-model="whatever the page says"`));
    await page.evaluate((timeout) => (document.querySelector("querent-search").askSettings = { timeout }), PATIENCE);
    // What a small model says is its own; but of a few answers one has to cite.
    let isCited = false;
    for (const question of QUESTIONS) {
      if (isCited) break;
      const { lengths, answer } = await answered(page, question);
      console.log(`${question}: ${JSON.stringify(answer.answer)} cites ${answer.citations}, invented ${answer.invented}, ${lengths.length} steps`);
      assert.ok(answer.answer.length > 10, answer.answer);
      assert.ok(answer.citations.every((number) => number >= 1 && number <= answer.sources.length));
      assert.ok(answer.saysNothing || lengths.length > 3, `it streams: ${lengths}`);
      if (answer.citations.length > 0) {
        const hrefs = await page.locator("querent-search a.citation").evaluateAll((links) => links.map(({ href }) => href));
        assert.ok(hrefs.length > 0 && hrefs.every((href) => href.startsWith(server.origin)), hrefs.join());
        isCited = true;
      }
    }
    assert.ok(isCited, "no answer cites a source");
    if (process.env.QUERENT_SHOTS) await page.screenshot({ path: `${process.env.QUERENT_SHOTS}/pane-real.png` });
  } finally {
    await browser.close();
    await server.close();
    proxy.close();
  }
});

/** Asks, and gives the answer and the lengths that it had while it streamed. */
async function answered(page, question) {
  await search(page, question);
  await page.evaluate(() => {
    const box = document.querySelector("querent-search");
    window.outcome = undefined;
    box.addEventListener("querent-answer", ({ detail }) => (window.outcome = { answer: detail }), { once: true });
    box.addEventListener("querent-error", ({ detail }) => (window.outcome = { error: `${detail.code}: ${detail.message}` }), { once: true });
    const text = box.shadowRoot.querySelector(".answer-text");
    window.lengths = [];
    new MutationObserver(() => window.lengths.push(text.textContent.length)).observe(text, { childList: true, subtree: true });
  });
  await page.locator("querent-search .ask-button").click();
  await page.waitForFunction(() => window.outcome, undefined, { timeout: PATIENCE });
  const { outcome, lengths } = await page.evaluate(() => ({ outcome: window.outcome, lengths: window.lengths }));
  assert.ok(!outcome.error, outcome.error);
  return { answer: outcome.answer, lengths: [...new Set(lengths)].filter((length) => length > 0) };
}
