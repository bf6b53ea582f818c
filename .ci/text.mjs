// Rules about the text of tracked files: links in Markdown lead somewhere, no package registry's host and no
// path of a developer's machine is named, nothing big is committed. Prints every breach; exit status 1 if any.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const BIG = 1024 * 1024;
/** Files that are bigger, with the most bytes that they may have: see models/README.md. */
const BIG_BY_INTENT = { "models/query-encoder.base": 12 * BIG };

// Character classes keep these patterns from finding themselves.
const FORBIDDEN = [
  [/crate[s]\.io|pyp[i]\.org|pythonhoste[d]\.org|npmj[s]\.(?:com|org)|de[b]\.debian\.org/i, "names a package registry's host; name the package instead"],
  [/(?<![\w.])\/(?:wor[k]|roo[t]|far[m])\//, "names a path of one machine"],
];

const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\0")
  .filter((file) => file && existsSync(file));

const breaches = files.flatMap(breachesOf);
for (const breach of breaches) console.error(breach);
console.error(`${files.length} files, ${breaches.length} breach(es) of the text rules`);
process.exit(breaches.length > 0 ? 1 : 0);

function breachesOf(file) {
  const size = statSync(file).size;
  if (size > (BIG_BY_INTENT[file] ?? BIG)) return [`${file}: ${size} bytes; weights and generated files stay out of git`];
  const text = readFileSync(file, "utf8");
  if (text.includes("\0")) return [];
  const lock = /(?:\.lock|package-lock\.json)$/.test(file);
  const found = lock ? [] : text.split("\n").flatMap((line, at) => forbiddenIn(line, `${file}:${at + 1}`));
  return file.endsWith(".md") && !file.startsWith("tests/") ? [...found, ...brokenLinks(file, text)] : found;
}

function forbiddenIn(line, where) {
  return FORBIDDEN.filter(([pattern]) => pattern.test(line)).map(([, rule]) => `${where}: ${rule}`);
}

function brokenLinks(file, text) {
  const prose = withoutCode(text);
  const links = [...prose.matchAll(/\]\(<?([^()\s<>]+)>?(?:\s+"[^"]*")?\)/g)].map((match) => match[1]);
  return links
    .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
    .flatMap((link) => brokenLink(file, link));
}

function brokenLink(file, link) {
  const [path, anchor] = decodeURI(link).split("#");
  const to = path === "" ? file : join(dirname(file), path);
  if (!existsSync(to)) return [`${file}: the link ${link} leads to no file`];
  if (!anchor || !to.endsWith(".md")) return [];
  return anchorsOf(to).includes(anchor) ? [] : [`${file}: the link ${link} leads to no heading`];
}

function anchorsOf(file) {
  const seen = new Map();
  return [...withoutFences(readFileSync(file, "utf8")).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading]) => {
    const slug = heading.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function withoutFences(text) {
  return text.replace(/^(\s*)(```+|~~~+)[\s\S]*?^\s*\2\s*$/gm, "");
}

function withoutCode(text) {
  return withoutFences(text).replace(/`[^`\n]*`/g, "");
}
