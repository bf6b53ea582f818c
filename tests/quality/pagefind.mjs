// Pagefind over the documents of a set, in Chromium, with its defaults: a page per document, indexed by its own
// command, searched by its own script.
//
// Usage: node pagefind.mjs DOCUMENTS QUERIES OUT; OUT gets a line per query: its id and the documents' ids

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../bench/lib/browser.mjs";
import { packageOf } from "../bench/lib/packages.mjs";
import { serve } from "../bench/lib/server.mjs";
import { DEPTH, readLines, writeLines } from "./lib.mjs";

const [documents, queries, out] = process.argv.slice(2);
const site = mkdtempSync(join(tmpdir(), "querent-quality-"));
try {
  const ids = writePages(readLines(documents));
  const runner = join(packageOf("pagefind").folder, "lib", "runner", "bin.cjs");
  execFileSync(process.execPath, [runner, "--site", site, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
  writeLines(out, await rankings(readLines(queries), ids));
} finally {
  rmSync(site, { recursive: true, force: true });
}

/** Pages are numbered, because an id may hold what no file name can. Returns the ids by number. */
function writePages(all) {
  mkdirSync(join(site, "d"));
  all.forEach(({ title, html }, at) => {
    const name = title.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title></head><body><main>${html}</main></body></html>`;
    writeFileSync(join(site, "d", `${at}.html`), page);
  });
  return all.map(({ id }) => id);
}

async function rankings(all, ids) {
  const server = await serve([["/", site]], "none");
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    const rows = [];
    for (const { _id, text } of all) {
      const urls = await page.evaluate(search, { url: server.url, text, depth: DEPTH });
      rows.push({ query: String(_id), documents: urls.map((url) => ids[Number(/\/d\/(\d+)\.html/.exec(url)[1])]) });
    }
    return rows;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Runs in the page. The module is loaded once and keeps what it has fetched, as on a reader's page. */
async function search({ url, text, depth }) {
  const pagefind = await import(`${url}pagefind/pagefind.js`);
  const { results } = await pagefind.search(text);
  const data = await Promise.all(results.slice(0, depth).map((result) => result.data()));
  return data.map((one) => one.url);
}
