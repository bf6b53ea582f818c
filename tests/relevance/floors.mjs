// Runs the judged queries of this folder through `querent eval` and compares the figures with floors.json.
// Usage: node tests/relevance/floors.mjs QUERENT DOCS. Exit status 1 when a figure lies below its floor.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [querent, docs] = process.argv.slice(2);
if (!docs) {
  console.error("usage: node tests/relevance/floors.mjs QUERENT DOCS");
  process.exit(2);
}

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const floors = JSON.parse(readFileSync(here("floors.json"), "utf8"));

const breaches = Object.entries(floors).flatMap(([mode, wanted]) => compare(mode, wanted, figuresOf(mode)));
for (const breach of breaches) console.error(breach);
process.exit(breaches.length > 0 ? 1 : 0);

function figuresOf(mode) {
  const files = ["--docs", docs, "--queries", here("queries.jsonl"), "--qrels", here("qrels.tsv")];
  const run = spawnSync(querent, ["eval", ...files, "--mode", mode, "--json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (run.status === 0) return JSON.parse(run.stdout);
  console.error(`${querent} eval --mode ${mode} ended with ${run.status ?? run.error}`);
  process.exit(1);
}

function compare(mode, wanted, figures) {
  return Object.entries(wanted).flatMap(([metric, floor]) => {
    const figure = figures[metric];
    const below = !(figure >= floor);
    console.log(`${mode.padEnd(10)}${metric.padEnd(14)}${Number(figure).toFixed(4)}  floor ${floor}${below ? "  BELOW" : ""}`);
    return below ? [`${mode}: ${metric} is ${figure}, its floor is ${floor}`] : [];
  });
}
