// What the first answers by meaning cost a reader who has not downloaded the model: bytes over the network of the table,
// the codes and the rows, and the time of encoding a query. The documents are the demo's three books.
//
// Usage: node tests/bench/first-answer.mjs [--all], after ./build.sh cli. With --all the documents are those of
// cold-query.mjs: embedding their 16,000 chunks takes minutes the first time.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { count, launch, median } from "./lib/browser.mjs";
import { copyBooks } from "./lib/books.mjs";
import { ROOT } from "./lib/packages.mjs";
import { serve } from "./lib/server.mjs";

const QUERIES = [
  "why can't I modify a variable while it is borrowed",
  "how do I return an error from main",
  "how can I share data between threads",
  "what is the difference between String and str",
  "how do I publish a crate",
  "run some code when a value goes away",
  "make the program smaller",
  "which version of the compiler does my library need",
  "trait objects",
  "cargo workspace dependencies",
];
/** Searches of each query over which the time of encoding is taken. */
const ROUNDS = 50;
const KINDS = { codes: /\/codes-/, encoder: /\/encoder-/, vectors: /\/vectors-/, model: /q8\.bin|\/model\.|model\.json/ };

const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
const site = join(target, "bench", "site-vectors");
const BOOKS = process.argv.includes("--all") ? undefined : ["book", "cargo", "reference"];
const documents = prepare();
const browser = await launch();
try {
  const rows = [];
  for (const query of QUERIES) rows.push(await cold(query));
  const times = await encodingTimes();
  print(rows, times);
} finally {
  await browser.close();
}

function prepare() {
  const querent = join(target, "release", "querent");
  if (!existsSync(querent)) throw new Error(`expected ${querent}, found nothing; run ./build.sh cli`);
  const documents = copyBooks(site, BOOKS);
  execFileSync(querent, ["build", site, "--out", join(site, "querent")], { stdio: ["ignore", "ignore", "inherit"] });
  return documents;
}

/** A page that has seen nothing, on the documents' server; `use` gets both. */
async function withPage(use) {
  const server = await serve([["/", site]], "br");
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    server.sent.length = 0;
    return await use(page, server);
  } finally {
    await context.close();
    await server.close();
  }
}

/** The first search by the table, and what another query of the list adds to it. */
async function cold(query) {
  return await withPage(async (page, server) => {
    const search = (text) =>
      page.evaluate(async ({ url, text }) => {
        const { Querent } = await import(`${url}querent/querent.js`);
        window.querent ??= await Querent.init();
        const { queryEncoder, hits } = await window.querent.search(text, { queryEncoder: "table" });
        return { queryEncoder, hits: hits.length };
      }, { url: server.url, text });
    const { queryEncoder, hits } = await search(query);
    if (queryEncoder !== "table" || hits === 0) throw new Error(`'${query}': expected hits by the table, found ${hits} by ${queryEncoder}`);
    const first = bytesOf(server);
    await search(QUERIES[(QUERIES.indexOf(query) + 1) % QUERIES.length]);
    const next = bytesOf(server);
    if (next.vectors + next.model > 0) throw new Error(`'${query}': expected neither vectors nor model, found ${next.vectors + next.model} bytes`);
    return { query, ...first, next: next.encoder + next.codes - first.encoder - first.codes };
  });
}

/** Bodies that the server has sent, by kind, and the head of the table by itself. */
function bytesOf(server) {
  const sum = (pattern) => server.sent.filter(({ path }) => pattern.test(path)).reduce((total, { body }) => total + body, 0);
  const kinds = Object.fromEntries(Object.entries(KINDS).map(([kind, pattern]) => [kind, sum(pattern)]));
  const heads = server.sent.filter(({ path }) => KINDS.encoder.test(path)).map(({ body }) => body);
  return { ...kinds, head: Math.max(0, ...heads), all: sum(/./) };
}

/** Milliseconds of the stage `encode` once its files are there, one median per query. */
async function encodingTimes() {
  return await withPage(async (page, server) => {
    return await page.evaluate(async ({ url, queries, rounds }) => {
      const { Querent } = await import(`${url}querent/querent.js`);
      const querent = await Querent.init();
      const times = [];
      for (const query of queries) {
        for (let round = 0; round <= rounds; round += 1) {
          const { timings } = await querent.search(query, { mode: "semantic", queryEncoder: "table" });
          const of = (stage) => timings.filter(([name]) => name === stage).reduce((sum, [, ms]) => sum + ms, 0);
          if (round > 0) times.push({ encode: of("encode"), semantic: of("semantic") });
        }
      }
      return times;
    }, { url: server.url, queries: QUERIES, rounds: ROUNDS });
  });
}

function print(rows, times) {
  const { segments } = JSON.parse(readFileSync(join(site, "querent", "manifest.json"), "utf8"));
  const chunks = segments.reduce((sum, segment) => sum + segment.chunks, 0);
  console.log(`${count(documents)} documents, ${count(chunks)} chunks; bodies in bytes, the host sends Brotli\n`);
  console.log(`${"query".padEnd(52)}${"codes".padStart(11)}${"table".padStart(10)}${"of it head".padStart(12)}${"together".padStart(11)}${"another query".padStart(15)}`);
  for (const { query, codes, encoder, head, next } of rows) {
    console.log(`${query.padEnd(52)}${count(codes).padStart(11)}${count(encoder).padStart(10)}${count(head).padStart(12)}${count(codes + encoder).padStart(11)}${count(next).padStart(15)}`);
  }
  const most = (key) => Math.max(...rows.map(key));
  const mean = (stage) => times.reduce((sum, one) => sum + one[stage], 0) / times.length;
  const result = {
    benchmark: "first-answer", documents, chunks,
    semantic: { median: median(rows.map((row) => row.codes + row.encoder)), most: most((row) => row.codes + row.encoder) },
    another: { median: median(rows.map((row) => row.next)), most: most((row) => row.next) },
    everything: { median: median(rows.map((row) => row.all)), most: most((row) => row.all) },
    milliseconds: { encode: mean("encode"), encodeMost: Math.max(...times.map(({ encode }) => encode)), semantic: mean("semantic") },
  };
  console.log(`\n${JSON.stringify(result, undefined, 1)}`);
}
