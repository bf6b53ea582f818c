// Runs the unit tests: bundles every *.test.ts for Node, then `node --test`.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const output = join(folder, "..", "..", "node_modules", ".cache", "querent-unit");
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => join(folder, name)),
  outdir: output,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
  define: { __QUERENT_WORKER__: '"worker.js"', __QUERENT_ASK__: '"ask.js"', __QUERENT_MODULES__: '{}' },
});
const built = tests.map((name) => join(output, name.replace(/\.ts$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--test", "--enable-source-maps", ...built], { stdio: "inherit" });
process.exit(status ?? 1);
