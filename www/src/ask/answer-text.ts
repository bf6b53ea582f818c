/** An answer as nodes: text, code between backticks, and a link for each citation. What looks like other markup is text. */

import { make } from "../element/dom.js";
import { safeUrl } from "../element/safe-url.js";
import type { AnswerSource } from "../types.js";

/**
 * The nodes of `text`.
 *
 * @param sources what the numbers in brackets may mean; other brackets are text
 * @param root folder that relative addresses start from
 */
export function answerNodes(text: string, sources: readonly AnswerSource[], root: string): (Node | string)[] {
  // Every second part is code, and of the others every second one a number.
  return text.split(/`([^`\n]+)`/).flatMap((part, at) => (at % 2 === 1 ? [make("code", { dir: "ltr" }, part)] : cited(part, sources, root)));
}

function cited(text: string, sources: readonly AnswerSource[], root: string): (Node | string)[] {
  return text.split(/\[(\d{1,4})\]/).flatMap((part, at) => {
    if (at % 2 === 0) return part ? [part] : [];
    const source = sources[Number(part) - 1];
    return [source ? citation(source, root) : `[${part}]`];
  });
}

/** The link of one citation, or its number where there is nowhere to go. */
function citation(source: AnswerSource, root: string): Node {
  const href = safeUrl(source.url, root);
  const label = `[${source.number}]`;
  if (!href) return make("span", { class: "citation", part: "citation" }, label);
  return make("a", { class: "citation", part: "citation", href, title: nameOf(source), "aria-label": `${label} ${nameOf(source)}` }, label);
}

/** One line of the list of sources. */
export function sourceItem(source: AnswerSource, root: string): HTMLLIElement {
  const href = safeUrl(source.url, root);
  const name = nameOf(source);
  const item = make("li", { value: String(source.number) }, href ? make("a", { href, dir: "auto" }, name) : name);
  return item;
}

/** Title and headings, and the page where there is one. */
function nameOf({ path, title, headingPath, page }: AnswerSource): string {
  const headings = headingPath.filter((heading, index) => heading && !(index === 0 && heading === title));
  return [title || path, ...headings, ...(page ? [`p. ${page}`] : [])].join(" › ");
}
