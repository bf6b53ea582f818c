// The proxy of docs/guides/language-models.md, run as it stands there.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const GUIDE = new URL("../../docs/guides/language-models.md", import.meta.url);

/** Starts it with these variables besides PORT. Gives `url` and `close()`. */
export async function startProxy(variables) {
  const code = /```js\n(\/\/ proxy\.mjs[^]*?)```/.exec(readFileSync(GUIDE, "utf8"))?.[1];
  if (!code) throw new Error(`expected a block that begins with // proxy.mjs in ${GUIDE.pathname}, found none`);
  const folder = mkdtempSync(join(tmpdir(), "querent-proxy-"));
  writeFileSync(join(folder, "proxy.mjs"), code);
  const port = await freePort();
  const child = spawn(process.execPath, [join(folder, "proxy.mjs")], { env: { ...process.env, ...variables, PORT: String(port) }, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", (status) => reject(new Error(`the proxy ended with status ${status}`)));
  });
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}/v1`, origin: `http://127.0.0.1:${port}`, close };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
