// The pane of the search box that asks a language model, as a reader uses it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { cut, refuse, say, serveModel } from "./llm.mjs";
import { POLICY } from "./serve.mjs";
import { addHostPage, box, search, withPage } from "./setup.mjs";

const QUESTION = "how do I change the port";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The parts of the pane. */
function pane(page) {
  const root = page.locator("querent-search");
  return {
    button: root.locator(".ask-button"),
    answer: root.locator(".answer"),
    text: root.locator(".answer-text"),
    note: root.locator(".answer-note"),
    cancel: root.getByRole("button", { name: "Cancel" }),
    sources: root.locator(".answer ol a"),
    citations: root.locator("a.citation"),
  };
}

/** Runs `body` with a box that may ask a server, after a search for the question. */
async function withPane(act, body, options = {}) {
  const model = await serveModel(act);
  try {
    const policy = `${POLICY}; connect-src 'self' ${model.origin}`;
    await withPage({ ...options, policy, allowed: [model.origin] }, async (given) => {
      await given.page.goto(addHostPage(given.server, `no-semantic ask-url="${model.url}" ask-model="test-model"`));
      await search(given.page, QUESTION);
      await pane(given.page).button.waitFor();
      await body({ ...given, model, ...pane(given.page) });
    });
  } finally {
    await model.close();
  }
}

/** As a model says it, and as it is shown: code without its backticks. */
const GOOD = ["Start it with ", "`--port` [1", "]. The default is 8750 [2", "]."];
const SHOWN = GOOD.join("").replaceAll("`", "");

test("the button asks, the answer streams, and its citations lead to the sources", () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  return withPane(() => say(GOOD, (n) => (n === 0 ? held : undefined)), async ({ page, model, button, text, citations, sources, answer }) => {
    assert.equal(model.asked.length, 0, "typing asks nobody");
    assert.match(await button.textContent(), /^Ask:how do I change the port/);
    await page.evaluate(() => {
      const box = document.querySelector("querent-search");
      box.askHeaders = async () => ({ "x-session": "abc" });
      document.addEventListener("querent-answer", ({ detail }) => (window.answered = detail));
    });
    await button.click();
    await text.filter({ hasText: "Start it with" }).waitFor();
    assert.ok(!(await text.textContent()).includes("8750"), "it streams");
    assert.equal(await text.getAttribute("aria-busy"), "true");
    release();
    await sources.first().waitFor();
    assert.equal(await text.textContent(), SHOWN);
    assert.equal(await text.locator("code").textContent(), "--port");
    assert.equal(await text.getAttribute("aria-busy"), "false");
    const hrefs = await citations.evaluateAll((links) => links.map(({ href }) => href));
    const listed = await sources.evaluateAll((links) => links.map(({ href }) => href));
    assert.deepEqual(hrefs, listed);
    assert.ok(hrefs.length === 2 && hrefs.every((href) => href.startsWith("http://127.0.0.1")), hrefs.join());
    assert.match(await answer.textContent(), /check it against its sources/);
    assert.equal(model.asked[0].headers["x-session"], "abc");
    assert.deepEqual(await page.evaluate(() => [window.answered.citations, window.answered.question]), [[1, 2], QUESTION]);
    const live = page.locator("querent-search .live").last();
    assert.equal(await live.textContent(), GOOD.join(""));
    // The list of hits is still there, and Enter opens its first.
    assert.ok((await box(page).options.count()) > 0);
    await citations.first().click();
    await page.waitForURL(hrefs[0]);
  });
});

test("by keyboard: Shift+Enter asks, Esc cancels, then closes, Tab reaches the button", () =>
  withPane(() => say(Array(100).fill("word "), 100), async ({ page, model, note, text, cancel, button }) => {
    const { input, options } = box(page);
    await page.keyboard.press("Shift+Enter");
    await text.filter({ hasText: "word" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/docs/host.html", "nothing was opened");
    await page.keyboard.press("Escape");
    await note.filter({ hasText: "Cancelled" }).waitFor();
    assert.ok(await cancel.isHidden());
    assert.ok((await options.count()) > 0 && (await input.inputValue()) === QUESTION, "the list is still open");
    await page.keyboard.press("Tab");
    assert.ok(await button.evaluate((element) => element.getRootNode().activeElement === element));
    assert.ok(await button.isVisible(), "the panel stays while the focus is in it");
    await page.keyboard.press("Enter");
    await text.filter({ hasText: "word" }).waitFor();
    await cancel.click();
    await note.filter({ hasText: "Cancelled" }).waitFor();
    await input.press("Escape");
    assert.ok(await button.isHidden());
    assert.equal(model.asked.length, 2);
  }));

test("markup in an answer is text", () => {
  const words = '<img src=x onerror="window.hacked = 1"> <script>window.hacked = 1</script> [x](javascript:window.hacked=1) [1]';
  return withPane(() => say([words.slice(0, 20), words.slice(20)]), async ({ page, button, text, sources }) => {
    await button.click();
    await sources.first().waitFor();
    assert.equal(await text.textContent(), words);
    const found = await text.evaluate((element) => [element.querySelectorAll("img, script").length, element.querySelectorAll("a").length, window.hacked]);
    assert.deepEqual(found, [0, 1, undefined]);
  });
});

test("what the documents do not say, what was invented, and what is not cited is said", () =>
  withPane(
    (n) => [say(["The documents do not say."]), say(["It is 8750 [77]. Or [1]."]), say(["It is 8750."])][n],
    async ({ button, note, text, sources }) => {
      await button.click();
      await note.filter({ hasText: "may still help" }).waitFor();
      assert.equal(await sources.count(), 0);
      await button.click();
      await note.filter({ hasText: "not given (77)" }).waitFor();
      assert.equal(await text.textContent(), "It is 8750. Or [1].");
      assert.equal(await sources.count(), 1);
      await button.click();
      await note.filter({ hasText: "names no source" }).waitFor();
      assert.ok((await sources.count()) > 1);
    },
  ));

test("failures are said in plain words, and what was shown stays", () =>
  withPane(
    (n) => (n === 0 ? refuse(401, "wrong") : cut(["Half an answer"])),
    async ({ page, button, note, text }) => {
      await page.evaluate(() => document.addEventListener("querent-error", ({ detail }) => (window.failed = detail.code)));
      await button.click();
      await note.filter({ hasText: "refuses the question" }).waitFor();
      assert.equal(await page.evaluate(() => window.failed), "endpoint");
      await button.click();
      await note.filter({ hasText: "broke off" }).waitFor();
      assert.equal(await text.textContent(), "Half an answer");
    },
    { expected: /401|endpoint|net::ERR|cut:|Failed to load/ },
  ));

test("another question hides the answer, another language renames everything, and the attribute takes the pane away", () =>
  withPane(() => say(GOOD), async ({ page, button, answer, sources }) => {
    await button.click();
    await sources.first().waitFor();
    await page.keyboard.type(" s");
    assert.ok(await answer.isHidden());
    await page.evaluate(() => (document.querySelector("querent-search").strings = { ask: "Fragen" }));
    assert.match(await button.textContent(), /^Fragen:how do I change the port s/);
    await page.evaluate(() => document.querySelector("querent-search").removeAttribute("ask-url"));
    assert.equal(await page.locator("querent-search .ask").count(), 0);
    await page.keyboard.press("Shift+Enter");
  }));

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1100, 320]) {
    test(`axe finds nothing serious in an answer, ${colorScheme}, ${width} pixels wide`, () =>
      withPane(
        () => say(GOOD),
        async ({ page, button, sources }) => {
          await button.click();
          await sources.first().waitFor();
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
          assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`), []);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.equal(wide, 0, "nothing sticks out sideways");
          if (process.env.QUERENT_SHOTS) await page.screenshot({ path: `${process.env.QUERENT_SHOTS}/pane-${colorScheme}-${width}.png` });
        },
        { context: { colorScheme, viewport: { width, height: 800 } } },
      ));
  }
}
