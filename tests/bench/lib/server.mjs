// A static host for measurements: folders of 127.0.0.1, with the compression that static hosts offer. What is
// compressed depends on the type only, as such hosts do it: .bin and Pagefind's own .pf_* files go as they are.

import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// gzip as a host does it on the fly, Brotli as a host does it ahead of time: both as kind as is usual.
const ENCODERS = {
  gzip: (bytes) => gzipSync(bytes, { level: 6 }),
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
};

const PAGE = "<!doctype html><html lang=en><meta charset=utf-8><title>Benchmark</title><link rel=icon href='data:,'>";

/**
 * @param mounts pairs of a path with slashes at both ends and the folder that is served below it
 * @param encoding `none`, `gzip` or `br`
 * @returns `url`; `sent`, one `{ path, body }` per answer with the bytes of the body as sent; `close()`
 */
export async function serve(mounts, encoding) {
  const sent = [];
  const files = new Map();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    if (path === "/") return response.writeHead(200, { "content-type": TYPES[".html"] }).end(PAGE);
    const accepted = (request.headers["accept-encoding"] ?? "").includes(encoding) ? encoding : "none";
    const key = `${accepted} ${path}`;
    if (!files.has(key)) files.set(key, load(mounts, path, accepted));
    const file = files.get(key);
    if (!file) return response.writeHead(404).end();
    sent.push({ path, body: file.body.length });
    response.writeHead(200, file.headers).end(file.body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    sent,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

function load(mounts, path, encoding) {
  const mount = mounts.find(([at]) => path.startsWith(at));
  const inside = mount && normalize(path.slice(mount[0].length));
  if (!inside || inside.startsWith("..")) return undefined;
  const file = join(mount[1], inside);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const bytes = readFileSync(file);
  const type = TYPES[extname(file)];
  const headers = { "content-type": type ?? "application/octet-stream", "cache-control": "no-cache" };
  if (!type || encoding === "none") return { body: bytes, headers: { ...headers, "content-length": bytes.length } };
  const body = ENCODERS[encoding](bytes);
  return { body, headers: { ...headers, "content-encoding": encoding, "content-length": body.length } };
}
