// A small static server for browser tests: serves a folder below a sub-path of 127.0.0.1 under the strictest
// Content-Security-Policy that Querent promises to work with. On demand it damages, denies or mislabels files.

import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gunzipSync } from "node:zlib";

export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".md": "text/plain; charset=utf-8",
};

/**
 * @param folder what to serve
 * @param options.path below which path, with slashes at both ends
 * @param options.policy the Content-Security-Policy
 * @param options.port the port; default any that is free
 * @returns `url`, `requests` (paths asked for), `damage(pattern, times)`, `deny(pattern)`, `mislabel(pattern)`,
 *   `unzip(pattern)`, `prefix(pattern, text)`, `hold(pattern)`, `add(at, body)`, `heal()` and `close()`
 */
export async function serve(folder, { path = "/", policy = POLICY, port: wanted = 0 } = {}) {
  const requests = [];
  let damaged = [];
  let denied = [];
  let mislabelled = [];
  let prefixed = [];
  let unzipped = [];
  const held = [];
  const extra = new Map();

  const server = createServer(async (request, response) => {
    const asked = decodeURIComponent(new URL(request.url, "http://x").pathname);
    requests.push(asked);
    await Promise.all(held.filter(({ pattern }) => pattern.test(asked)).map(({ until }) => until));
    const headers = { "content-security-policy": policy, "cache-control": "no-cache" };
    if (extra.has(asked)) {
      const { type, body } = extra.get(asked);
      return response.writeHead(200, { ...headers, "content-type": type }).end(body);
    }
    const file = fileOf(folder, path, asked);
    if (!file || denied.some((pattern) => pattern.test(asked))) return response.writeHead(404, headers).end("not here");
    headers["content-type"] = TYPES[extname(file)] ?? "application/octet-stream";
    if (mislabelled.some((pattern) => pattern.test(asked))) headers["content-type"] = "text/plain";
    if (unzipped.some((pattern) => pattern.test(asked))) return response.writeHead(200, headers).end(gunzipSync(readFileSync(file)));
    const before = prefixed.find(({ pattern }) => pattern.test(asked));
    if (before) return response.writeHead(200, headers).end(before.text + readFileSync(file, "utf8"));
    const harm = damaged.find(({ pattern, times }) => times > 0 && pattern.test(asked));
    if (!harm) {
      response.writeHead(200, headers);
      return createReadStream(file).pipe(response);
    }
    harm.times -= 1;
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] ^= 0x55;
    response.writeHead(200, headers).end(bytes);
  });
  await new Promise((resolve) => server.listen(wanted, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}${path}`,
    origin: `http://127.0.0.1:${port}`,
    requests,
    /** Flips bits in the next `times` answers that match. */
    damage: (pattern, times = 1) => damaged.push({ pattern, times }),
    /** Answers 404 to what matches. */
    deny: (pattern) => denied.push(pattern),
    /** Calls what matches text/plain. */
    mislabel: (pattern) => mislabelled.push(pattern),
    /** Sends what matches unpacked, as servers do that take `.gz` for an encoding. */
    unzip: (pattern) => unzipped.push(pattern),
    /** Leaves what matches without an answer until the function that it returns is called. */
    hold: (pattern) => {
      let release;
      held.push({ pattern, until: new Promise((resolve) => (release = resolve)) });
      return release;
    },
    /** Runs `text` at the start of the script that matches. */
    prefix: (pattern, text) => prefixed.push({ pattern, text }),
    /** Serves one more document. */
    add: (at, body, type = "text/html; charset=utf-8") => extra.set(path + at, { body, type }),
    heal: () => ([damaged, denied, mislabelled, prefixed, unzipped] = [[], [], [], [], []]),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

function fileOf(folder, path, asked) {
  if (!asked.startsWith(path)) return undefined;
  const inside = normalize(asked.slice(path.length) || "index.html");
  if (inside.startsWith("..")) return undefined;
  const file = join(folder, inside.endsWith("/") ? `${inside}index.html` : inside);
  try {
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
