// The documents of the cold query: the HTML of the Rust books that the toolchain brings, in a folder of their own,
// so that both engines index the very same files. Left out are pages that repeat others (print.html holds a whole
// book, toc.html its headings, a redirect nothing), pages that ask not to be indexed, which only one of the engines
// heeds, and translations, because Pagefind keeps an index per language and would carry English only.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";

const BOOKS = [
  "book", "cargo", "reference", "rust-by-example", "nomicon", "edition-guide", "rustc", "rustdoc", "error_codes",
  "unstable-book", "clippy", "embedded-book", "style-guide",
];

/** Copies `books` into `site`, new, and returns the number of documents. */
export function copyBooks(site, books = BOOKS) {
  const sysroot = execFileSync("rustc", ["--print", "sysroot"], { encoding: "utf8" }).trim();
  const html = join(sysroot, "share", "doc", "rust", "html");
  const missing = books.filter((book) => !existsSync(join(html, book)));
  if (missing.length > 0) {
    throw new Error(`expected the Rust books in ${html}, found no ${missing.join(", ")}; run: rustup component add rust-docs`);
  }
  rmSync(site, { recursive: true, force: true });
  for (const book of books) cpSync(join(html, book), join(site, book), { recursive: true, filter: isDocument });
  return readdirSync(site, { recursive: true }).filter((path) => path.endsWith(".html")).length;
}

function isDocument(path) {
  if (statSync(path).isDirectory()) return true;
  if (!path.endsWith(".html") || ["print.html", "toc.html"].includes(basename(path))) return false;
  const html = readFileSync(path, "utf8");
  const [, language] = /<html[^>]*\slang=["']?([a-z]+)/i.exec(html) ?? [];
  if (language && language !== "en") return false;
  return !/http-equiv=["']?refresh|<meta[^>]*name=["']?robots["']?[^>]*noindex/i.test(html);
}
