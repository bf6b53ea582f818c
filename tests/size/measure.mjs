// Bytes of what readers download, against budgets.json. Usage: node tests/size/measure.mjs [--json]
// Each budget names its files by a regular expression over paths below the root of the repository; their sum has
// to stay within every limit that the budget gives. A budget without a file fails, because the file was renamed,
// unless the budget says which other command makes it: then it is named as not measured.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = new URL("../..", import.meta.url).pathname;
const { folders, budgets } = JSON.parse(readFileSync(new URL("budgets.json", import.meta.url), "utf8"));

const paths = folders.flatMap(filesBelow).sort();
const rows = budgets.map(measure);
if (process.argv.includes("--json")) console.log(JSON.stringify(rows, null, 2));
else print(rows);
process.exit(rows.some((row) => row.breaches.length > 0) ? 1 : 0);

function filesBelow(folder) {
  try {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function measure({ name, files, limits, compress = true, made_by: madeBy }) {
  const pattern = new RegExp(files);
  const found = paths.filter((path) => pattern.test(path));
  const total = { raw: 0, gzip: 0, brotli: 0 };
  for (const path of found) addSizes(total, readFileSync(join(root, path)), compress);
  const breaches = Object.entries(limits)
    .filter(([kind, limit]) => total[kind] > limit)
    .map(([kind, limit]) => `${kind} ${total[kind]} is over the limit of ${limit}`);
  if (found.length === 0 && !madeBy) breaches.push(`no file matches ${files}; build it first, or mend budgets.json`);
  const note = found.length === 0 && madeBy ? `not measured; ${madeBy} makes it` : undefined;
  return { name, files: found, ...total, limits, breaches, note };
}

// Weights and shards do not shrink any further, and compressing 24 MB takes long: they count as they are.
function addSizes(total, bytes, compress) {
  total.raw += bytes.length;
  total.gzip += compress ? gzipSync(bytes, { level: 9 }).length : bytes.length;
  total.brotli += compress ? brotliCompressSync(bytes, brotliBest(bytes.length)).length : bytes.length;
}

function brotliBest(size) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: size } };
}

function print(rows) {
  console.log(`${"".padEnd(28)}${["raw", "gzip", "brotli"].map((kind) => kind.padStart(12)).join("")}   limit`);
  for (const { name, raw, gzip, brotli, limits, breaches, note } of rows) {
    const sizes = [raw, gzip, brotli].map((bytes) => bytes.toLocaleString("en").padStart(12)).join("");
    const limit = Object.entries(limits).map(([kind, bytes]) => `${kind} ${bytes.toLocaleString("en")}`).join(", ");
    console.log(`${name.padEnd(28)}${sizes}   ${limit}${note ? `  (${note})` : ""}`);
    for (const breach of breaches) console.log(`  OVER: ${breach}`);
  }
}
