// Bytes over the network of a cold lexical query with 10 results, beside Pagefind's over the same HTML.
//
// Usage: node tests/bench/cold-query.mjs, after ./build.sh cli. QUERENT_SITE, where it is given, names a site with
// vectors and a model: it is then checked that a lexical query fetches neither.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { count, launch, median } from "./lib/browser.mjs";
import { copyBooks } from "./lib/books.mjs";
import { packageOf, ROOT } from "./lib/packages.mjs";
import { serve } from "./lib/server.mjs";

const RESULTS = 10;
const ENCODINGS = ["none", "gzip", "br"];
const NAMES = { none: "uncompressed", gzip: "gzip", br: "Brotli" };
const QUERIES = [
  "ownership",
  "trait objects",
  "lifetime elision",
  "cargo workspace dependencies",
  "async await",
  "raw pointer dereference",
  "how do I return an error from main",
  "how can I share data between threads",
  "what is the difference between String and str",
  "how do I publish a crate",
];

const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
const site = join(target, "bench", "site");

const ENGINES = {
  querent: async ({ url, query, results }) => {
    const { Querent } = await import(`${url}querent/querent.js`);
    const querent = await Querent.init();
    const { hits } = await querent.search(query, { mode: "lexical", limit: results });
    return hits.map(({ url, title, excerpt }) => ({ url, title, excerpt }));
  },
  pagefind: async ({ url, query, results }) => {
    const pagefind = await import(`${url}pagefind/pagefind.js`);
    const found = await pagefind.search(query);
    const hits = await Promise.all(found.results.slice(0, results).map((result) => result.data()));
    return hits.map(({ url, meta, excerpt }) => ({ url, title: meta.title, excerpt }));
  },
};

const documents = prepare();
const browser = await launch();
try {
  const rows = [];
  for (const encoding of ENCODINGS) {
    for (const engine of Object.keys(ENGINES)) rows.push(await measure(engine, encoding));
  }
  print(rows);
  const ui = uiOfPagefind();
  const lexicalOnly = await withoutModel();
  console.log(JSON.stringify({ benchmark: "cold-query", documents, rows: rows.map(brief), pagefindUi: ui, lexicalOnly }));
} finally {
  await browser.close();
}

/** Both indexes over the same folder. Pagefind's comes first, because it would read the page beside Querent's. */
function prepare() {
  const querent = join(target, "release", "querent");
  if (!existsSync(querent)) throw new Error(`expected ${querent}, found nothing; run ./build.sh cli`);
  const documents = copyBooks(site);
  const { folder, version } = packageOf("pagefind");
  const run = (command, args) => execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  run(process.execPath, [join(folder, "lib", "runner", "bin.cjs"), "--site", site, "--quiet"]);
  run(querent, ["build", site, "--out", join(site, "querent"), "--embeddings", "none", "--exclude", "pagefind/", "--quiet"]);
  console.log(`${count(documents)} documents of the Rust books, ${RESULTS} results, Pagefind ${version}`);
  return documents;
}

async function measure(engine, encoding) {
  const server = await serve([["/", site]], encoding);
  try {
    const queries = [];
    for (const query of QUERIES) queries.push(await cold(server, engine, query));
    const total = (key) => median(queries.map((one) => one[key]));
    return { engine, encoding, transferred: total("transferred"), body: total("body"), decoded: total("decoded"), later: total("later"), requests: total("requests"), queries };
  } finally {
    await server.close();
  }
}

/** One query in a browser context that has seen nothing: no cache, no database, no worker. */
async function cold(server, engine, query, { results = RESULTS, expected = RESULTS } = {}) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    server.sent.length = 0;
    const finished = [];
    // The same numbers as CDP's Network.loadingFinished, those of workers with them.
    context.on("requestfinished", (request) => finished.push(request));
    const hits = await page.evaluate(ENGINES[engine], { url: server.url, query, results });
    if (hits.length < expected || hits.some(({ title, excerpt }) => !title || !excerpt)) {
      throw new Error(`${engine}, '${query}': expected ${expected} results with texts, found ${hits.length}`);
    }
    // What the engine fetches for itself once the results are there is counted apart.
    const first = new Set(server.sent.map(({ path }) => path));
    await quiet(page, server.sent, finished);
    const files = await Promise.all(finished.map((request) => sizesOf(request, server)));
    agree(query, files, server.sent);
    return summarise(query, files.filter(({ path }) => first.has(path)), files.filter(({ path }) => !first.has(path)));
  } finally {
    await context.close();
  }
}

async function sizesOf(request, server) {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  const path = decodeURIComponent(new URL(request.url()).pathname);
  const { body } = server.sent.find((one) => one.path === path) ?? { body: 0 };
  // The browser accounts for a worker's own script with the worker's process and reports 0: the server knows.
  const own = responseBodySize === 0 && path.includes("worker");
  return { path, body: own ? body : responseBodySize, headers: responseHeadersSize, decoded: statSync(join(site, path)).size };
}

/** Resolves when a second has passed without a request and the browser has reported every answer. */
async function quiet(page, sent, finished) {
  for (let last = -1, round = 0; round < 20 && (last !== sent.length || finished.length < sent.length); round += 1) {
    last = sent.length;
    await page.waitForTimeout(1000);
  }
}

function sum(list, key) {
  return list.reduce((total, one) => total + one[key], 0);
}

function transferredBy(files) {
  return sum(files, "body") + sum(files, "headers");
}

// A request that the browser's side did not report would flatter the engine: the server's count has to agree.
function agree(query, files, sent) {
  if (sum(files, "body") === sum(sent, "body") && files.length === sent.length) return;
  const list = (all) => all.map(({ path, body }) => `${path} ${body}`).sort().join(", ");
  throw new Error(`'${query}': expected the server and the browser to agree, the server sent ${list(sent)}; the browser received ${list(files)}`);
}

function summarise(query, files, later) {
  return { query, files, requests: files.length, body: sum(files, "body"), transferred: transferredBy(files), decoded: sum(files, "decoded"), later: transferredBy(later), laterFiles: later };
}

function print(rows) {
  console.log(`\nmedian of ${QUERIES.length} cold queries, bytes${"transferred".padStart(16)}${"bodies".padStart(12)}${"decoded".padStart(12)}${"requests".padStart(10)}${"later".padStart(12)}`);
  for (const { engine, encoding, transferred, body, decoded, requests, later } of rows) {
    const numbers = [transferred, body, decoded].map((number) => count(number).padStart(12)).join("");
    console.log(`${`${engine}, ${NAMES[encoding]}`.padEnd(40)}${numbers}${count(requests).padStart(10)}${count(later).padStart(12)}`);
  }
  console.log("later: what is fetched once the results are there; not in the other columns");
  for (const encoding of ENCODINGS) {
    const [querent, pagefind] = rows.filter((row) => row.encoding === encoding);
    console.log(`Querent / Pagefind, ${NAMES[encoding]}: ${(querent.transferred / pagefind.transferred).toFixed(2)}`);
  }
  for (const row of rows) printKinds(row);
}

/** Requests and bytes by kind for the query whose bytes are the median's nearest. */
function printKinds({ engine, encoding, transferred, queries }) {
  const distance = (one) => Math.abs(one.transferred - transferred);
  const one = queries.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  console.log(`\n${engine}, ${NAMES[encoding]}, '${one.query}': ${count(one.transferred)} bytes`);
  for (const [kind, { requests, bytes, decoded }] of kindsOf(one.files)) {
    console.log(`  ${kind.padEnd(24)}${count(requests).padStart(4)}${count(bytes).padStart(12)}${count(decoded).padStart(12)} decoded`);
  }
  for (const [kind, { bytes }] of kindsOf(one.laterFiles)) console.log(`  later: ${kind.padEnd(21)}${count(bytes).padStart(12)}`);
}

/** Pairs of a kind and its sums, the biggest first. Hashes and numbers in a name make no kind of their own. */
function kindsOf(files) {
  const kinds = new Map();
  for (const { path, body, headers, decoded } of files) {
    const name = path.split("/").pop();
    const kind = name.endsWith(".bin") ? `${name.split("-")[0]} .bin` : name.replace(/^.*(?=\.pf_)/, "").replace(/\.[0-9a-f]{16}(?=\.)/, "");
    const sums = kinds.get(kind) ?? { requests: 0, bytes: 0, decoded: 0 };
    kinds.set(kind, { requests: sums.requests + 1, bytes: sums.bytes + body + headers, decoded: sums.decoded + decoded });
  }
  return [...kinds].sort(([, a], [, b]) => b.bytes - a.bytes);
}

/** A row without the files of its queries. */
function brief({ queries, ...row }) {
  return { ...row, queries: queries.map(({ query, transferred, requests, later }) => ({ query, transferred, requests, later })) };
}

/** Pagefind's own search box, which a page loads beside what is measured; Querent's is in querent.js. */
function uiOfPagefind() {
  const files = ["pagefind-ui.js", "pagefind-ui.css"].map((name) => readFileSync(join(site, "pagefind", name)));
  const total = (sizeOf) => files.reduce((bytesSoFar, bytes) => bytesSoFar + sizeOf(bytes), 0);
  const sizes = { none: total((bytes) => bytes.length), gzip: total((bytes) => gzipSync(bytes, { level: 6 }).length), br: total((bytes) => brotliCompressSync(bytes).length) };
  console.log(`Pagefind's box (pagefind-ui.js and .css), not counted above: ${count(sizes.none)} raw, ${count(sizes.gzip)} gzip, ${count(sizes.br)} brotli; Querent's is in querent.js`);
  return sizes;
}

/** Whether a lexical query on a site with a model leaves vectors and model alone; undefined without such a site. */
async function withoutModel() {
  const folder = process.env.QUERENT_SITE;
  if (!folder || !existsSync(join(folder, "querent", "model.json"))) {
    console.log("Vectors and model: not checked, QUERENT_SITE names no site with a model");
    return undefined;
  }
  const server = await serve([["/", folder]], "none");
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    const hits = await page.evaluate(ENGINES.querent, { url: server.url, query: "how do I change the port", results: RESULTS });
    await page.waitForTimeout(1000);
    const heavy = server.sent.filter(({ path }) => /\/(?:vectors-|model\.[0-9a-f]{16}|[^/]*\.q8\.bin)/.test(path));
    console.log(`With an index that has vectors and a model: ${hits.length} lexical results, ${heavy.length} requests for vectors or model, ${server.sent.length} in all`);
    if (heavy.length > 0) throw new Error(`a lexical query fetched ${heavy.map(({ path }) => path).join(", ")}`);
    return { hits: hits.length, requests: server.sent.length, vectorsOrModel: heavy.length };
  } finally {
    await context.close();
    await server.close();
  }
}
