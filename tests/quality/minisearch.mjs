// MiniSearch over the documents of a set, with the settings that its documentation suggests for a search box.
//
// Usage: node minisearch.mjs DOCUMENTS QUERIES OUT; OUT gets a line per query: its id and the documents' ids

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DEPTH, peer, readLines, writeLines } from "./lib.mjs";

const OPTIONS = { boost: { title: 2 }, fuzzy: 0.2, prefix: true };

const [documents, queries, out] = process.argv.slice(2);
const { folder } = peer("minisearch");
const { default: MiniSearch } = await import(pathToFileURL(join(folder, "dist", "es", "index.js")).href);
const index = new MiniSearch({ fields: ["title", "text"] });
index.addAll(readLines(documents));
const ranked = (text) => index.search(text, OPTIONS).slice(0, DEPTH).map(({ id }) => id);
writeLines(out, readLines(queries).map(({ _id, text }) => ({ query: String(_id), documents: ranked(text) })));
