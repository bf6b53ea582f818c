// The documents of a set as every peer gets them, one JSON line each: id, title, text and html.
//
// Usage: node documents.mjs --docs FOLDER OUT, or --corpus FILE OUT
//
// Markdown is rendered by marked. Its text is the rendered page's without tags, its title the front matter's or
// the first heading of level 1. An entry of a corpus is a title and paragraphs.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { peer, readLines, writeLines } from "./lib.mjs";

const { marked } = await import(pathToFileURL(join(peer("marked").folder, "lib", "marked.esm.js")).href);

const [kind, source, out] = process.argv.slice(2);
if (!out) throw new Error("expected --docs FOLDER OUT or --corpus FILE OUT");
writeLines(out, kind === "--corpus" ? readLines(source).map(entry) : files(source).map((path) => markdown(source, path)));

function files(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => path.split(sep).join("/"));
  return paths.filter((path) => path.endsWith(".md")).sort();
}

function markdown(folder, path) {
  const source = readFileSync(join(folder, path), "utf8").replace(/^\ufeff/, "");
  const [front = "", matter = ""] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(source) ?? [];
  const html = marked.parse(source.slice(front.length), { async: false });
  const [, title] = /^title:\s*["']?(.*?)["']?\s*$/m.exec(matter) ?? /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html) ?? [];
  return { id: path, title: plain(title ?? basename(path, ".md")), text: plain(html), html };
}

function entry({ _id, title = "", text }) {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${escaped(paragraph)}</p>`).join("\n");
  const heading = title === "" ? "" : `<h1>${escaped(title)}</h1>\n`;
  return { id: String(_id), title, text: `${title}\n${text}`, html: heading + paragraphs };
}

function plain(html) {
  const text = html.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>/gi, " ").replace(/<\/?[a-z][^>]*>/gi, " ");
  const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]).replace(/\s+/g, " ").trim();
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
