// The packages that Querent is compared with, in the exact versions of a folder's own package.json (tests/bench,
// tests/quality). They are installed there and nowhere else: nothing of them is part of what Querent ships. There is no
// lock file, because not every registry has Pagefind's binaries for all platforms, and npm ci refuses a lock that
// names only some.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const BENCH = fileURLToPath(new URL("..", import.meta.url));
export const ROOT = join(BENCH, "..", "..");

/** Installs what `home`'s package.json names, unless it is there, and returns the folder of `name` and its version. */
export function packageOf(name, home = BENCH) {
  const folder = join(home, "node_modules", name);
  const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  if (versionIn(folder) !== dependencies[name]) {
    execFileSync("npm", ["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
      cwd: home,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const version = versionIn(folder);
  if (version !== dependencies[name]) {
    throw new Error(`${name}: expected version ${dependencies[name]} after npm install, found ${version}; run npm install --no-package-lock in ${home}`);
  }
  return { folder, version };
}

function versionIn(folder) {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}
