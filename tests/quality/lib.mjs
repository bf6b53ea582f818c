// What the scripts of this folder share: JSON lines in, rankings out.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packageOf } from "../bench/lib/packages.mjs";

const QUALITY = fileURLToPath(new URL(".", import.meta.url));

/** Documents of a ranking that are kept: as many as `querent eval --run` writes. */
export const DEPTH = 100;

/** The folder and version of a package of this folder's package.json. */
export const peer = (name) => packageOf(name, QUALITY);

/** The objects of a file of JSON lines. */
export function readLines(path) {
  return readFileSync(path, "utf8").split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

/** Writes objects as JSON lines. */
export function writeLines(path, objects) {
  writeFileSync(path, objects.map((object) => `${JSON.stringify(object)}\n`).join(""));
}
