// Builds www/dist: what `querent build` copies beside an index.
//
// The wasm modules have to be in www/src/generated (`./build.sh wasm`). Order: modules get their hashed names, the
// worker is built with those and gets its own, querent.js is built with that, the service worker with all.

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipAsync } from "@gfx/zopfli";
import { build } from "esbuild";
import { bundleTypes } from "./types.mjs";

const www = dirname(fileURLToPath(import.meta.url));
const dist = join(www, "dist");
const generated = join(www, "src", "generated");

const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Writes `bytes` under a name with their hash, and returns the name. */
function writeHashed(stem, extension, bytes) {
  const name = `${stem}.${hashOf(bytes)}.${extension}`;
  writeFileSync(join(dist, name), bytes);
  return name;
}

/** One bundled, minified script. */
async function script(entry, { format = "esm", define = {}, external = [] } = {}) {
  const result = await build({
    entryPoints: [join(www, entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    external,
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    // The glue's default address of its module is never used: the host always passes the module.
    logOverride: { "empty-import-meta": "silent" },
  });
  return result.outputFiles[0].contents;
}

/**
 * The modules of every first search, and that of questions: they are shipped as gzip, because many hosts send `.wasm` as it is. Zopfli's
 * gzip is 7 % smaller than zlib's best.
 */
const ZIPPED = ["search", "search-languages", "store", "ask"];

/** Writes the wasm modules and, for those that not every reader needs, their glue. */
async function writeModules() {
  const files = {};
  for (const name of ["search", "search-languages", "store", "model", "ingest", "ingest-documents", "ask"]) {
    const bytes = readFileSync(join(generated, `${name}_bg.wasm`));
    const isZipped = ZIPPED.includes(name);
    const wasm = writeHashed(name, isZipped ? "wasm.gz" : "wasm", isZipped ? await gzipAsync(bytes, {}) : bytes);
    const glue = name.startsWith("search") ? "" : writeHashed(name, "js", await script(`src/generated/${name.split("-")[0]}.js`));
    files[name] = { wasm, glue };
  }
  return files;
}

function writeTypes() {
  const folder = mkdtempSync(join(tmpdir(), "querent-types-"));
  try {
    const tsc = join(www, "..", "node_modules", ".bin", "tsc");
    const options = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--stripInternal", "--outDir", folder];
    execFileSync(tsc, ["-p", join(www, "src", "tsconfig.json"), ...options], { stdio: "inherit" });
    const types = join(dist, "querent.d.ts");
    writeFileSync(types, bundleTypes(folder, generated));
    execFileSync(tsc, ["--ignoreConfig", "--noEmit", "--strict", "--lib", "ES2022,DOM,DOM.Iterable", types], { stdio: "inherit" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The page to try an index with. It has no inline script or style, so that any policy allows it. */
async function writePage() {
  const js = writeHashed("querent-page", "js", await script("page/page.ts", { external: ["./querent.js"] }));
  const css = writeHashed("querent-page", "css", readFileSync(join(www, "page", "page.css")));
  const icon = writeHashed("querent-icon", "svg", readFileSync(join(www, "page", "icon.svg")));
  const html = readFileSync(join(www, "page", "index.html"), "utf8");
  writeFileSync(join(dist, "index.html"), html.replace("page.js", js).replace("page.css", css).replace("icon.svg", icon));
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const { ask, ...modules } = await writeModules();
const workerDefine = { __QUERENT_MODULES__: modules, __QUERENT_WORKER__: "" };
const worker = writeHashed("querent-worker", "js", await script("src/worker.ts", { define: workerDefine }));
const none = { __QUERENT_MODULES__: {}, __QUERENT_WORKER__: "", __QUERENT_ASK__: "" };
const asker = writeHashed("querent-ask", "js", await script("src/ask/index.ts", { define: { ...none, __QUERENT_MODULES__: { ask } } }));
const client = await script("src/index.ts", { define: { ...none, __QUERENT_WORKER__: worker, __QUERENT_ASK__: asker } });
writeFileSync(join(dist, "querent.js"), client);
const precache = ["querent.js", worker, modules.search.wasm, modules.store.wasm, modules.store.glue];
const version = hashOf(Buffer.concat([client, Buffer.from(precache.join())]));
const define = { __QUERENT_VERSION__: version, __QUERENT_PRECACHE__: precache, __QUERENT_LANGUAGES__: modules["search-languages"].wasm };
writeFileSync(join(dist, "querent-sw.js"), await script("sw/sw.ts", { format: "iife", define }));
await writePage();
writeTypes();
