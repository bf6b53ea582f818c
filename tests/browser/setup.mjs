// What every browser test needs: the site, a browser, and a page that is watched.
//
// QUERENT_SITE names a folder with Querent's own docs below docs/ and their index in querent/, as
// `./build.sh test` makes it. QUERENT_CHROMIUM names the browser.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before } from "node:test";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const site = process.env.QUERENT_SITE ?? "";
if (!existsSync(join(site, "querent", "manifest.json"))) {
  throw new Error(`QUERENT_SITE: expected a folder with querent/manifest.json, found '${site}'; run ./build.sh test`);
}
/** Whether the site's index has a model. */
export const semantic = existsSync(join(site, "querent", "model.json"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Starts the browser. */
export function launch() {
  const executablePath = process.env.QUERENT_CHROMIUM ?? process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/**
 * Runs `body` with a server of its own and a page of its own, then demands that nothing went wrong unseen: no
 * error in the page, no violation of its policy, no request to another origin.
 *
 * @param options.site another folder to serve; `options.path` sub-path of the site; `options.context` options of the browser context;
 *   `options.port` the server's port; `options.policy` the Content-Security-Policy; `options.allowed` other origins that requests may go to;
 *   `options.prepare(context, server)` runs before the page is opened; `options.expected` a pattern of console
 *   messages that the test provokes
 */
export async function withPage(options, body) {
  const server = await serve(options.site ?? site, { path: options.path ?? "/", policy: options.policy, port: options.port });
  const context = await browser.newContext(options.context);
  const troubles = [];
  try {
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`violation: ${event.violatedDirective} ${event.blockedURI}`));
    });
    await options.prepare?.(context, server);
    context.on("request", (request) => {
      const { origin } = new URL(request.url());
      const isOurs = origin === server.origin || origin === "null" || options.allowed?.includes(origin);
      if (!isOurs) troubles.push(`request to ${request.url()}`);
    });
    const page = await context.newPage();
    watch(page, troubles, options.expected);
    await body({ page, server, context, troubles });
    assert.deepEqual(troubles, []);
  } catch (error) {
    if (troubles.length > 0) error.message += `\nin the page: ${troubles.join("; ")}`;
    throw error;
  } finally {
    await context.close();
    await server.close();
  }
}

function watch(page, troubles, expected) {
  page.on("pageerror", (error) => troubles.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (!expected?.test(message.text())) troubles.push(`${message.type()}: ${message.text()}`);
  });
}

/** A page of a site with the box in its header, below `docs/`. */
export function addHostPage(server, attributes = "") {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Handbook</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="../querent/icon.svg">
    <script type="module" src="../querent/querent.js"></script></head>
    <body><header><querent-search ${attributes}></querent-search></header>
    <main><h1>Handbook</h1><p>Text of a document.</p><input aria-label="Name"></main></body></html>`;
  server.add("docs/host.html", body);
  server.add("querent/icon.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml");
  return `${server.url}docs/host.html`;
}

/** The parts of the box that tests look at. */
export function box(page) {
  const root = page.locator("querent-search");
  return {
    input: root.locator("input"),
    list: root.getByRole("listbox"),
    options: root.getByRole("option"),
    active: root.locator("[aria-selected=true]"),
    status: root.getByRole("status"),
    footer: root.locator(".footer"),
  };
}

/** Types a query and waits for the first hit. */
export async function search(page, query) {
  const { input, options } = box(page);
  await input.click();
  await input.fill("");
  await input.pressSequentially(query, { delay: 5 });
  await options.first().waitFor();
  return options;
}

/** Loads querent.js in the page and calls `body` with its exports; `input` goes with it. */
export function inPage(page, server, body, input) {
  const source = `async ({ url, input }) => (${body.toString()})(await import(url), input)`;
  return page.evaluate(`(${source})(${JSON.stringify({ url: `${server.url}querent/querent.js`, input })})`);
}

/** Writes down every response that the box shows, in `window.shown`. */
export async function recordResults(page) {
  await page.evaluate(() => {
    window.shown = [];
    document.addEventListener("querent-results", ({ detail }) => {
      window.shown.push({ query: detail.query, mode: detail.mode, paths: detail.hits.map(({ path }) => path) });
    });
  });
}
