// The packages that the benchmarks compare with, as package-lock.json beside this folder pins them. They are
// installed here and nowhere else: nothing of them is part of what Querent ships.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const BENCH = fileURLToPath(new URL("..", import.meta.url));
export const ROOT = join(BENCH, "..", "..");

/** Installs what the lock file names, unless it is there, and returns the folder of `name` and its version. */
export function packageOf(name) {
  const folder = join(BENCH, "node_modules", name);
  const { dependencies } = JSON.parse(readFileSync(join(BENCH, "package.json"), "utf8"));
  if (versionIn(folder) !== dependencies[name]) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
      cwd: BENCH,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const version = versionIn(folder);
  if (version !== dependencies[name]) {
    throw new Error(`${name}: expected version ${dependencies[name]} after npm ci, found ${version}; run npm ci in tests/bench`);
  }
  return { folder, version };
}

function versionIn(folder) {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}
