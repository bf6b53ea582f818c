/** One document of the list, with its further sections, as elements. */

import type { Duplicate, Hit, SectionHit } from "../types.js";
import { make } from "./dom.js";
import { pieces } from "./excerpt.js";
import { safeUrl } from "./safe-url.js";
import type { Strings } from "./strings.js";

/** Something that can be opened: a document's best section, or a further one. */
export interface Option {
  /** Unique in the list. */
  key: string;
  /** The document that it belongs to. */
  hit: Hit;
  element: HTMLElement;
}

/** A document as it stands in the list. */
export interface HitView {
  hit: Hit;
  element: HTMLElement;
  options: Option[];
}

/** What a hit is shown with. */
export interface HitContext {
  /** Folder that relative addresses start from. */
  root: string;
  /** The page added the document itself: it has no address. */
  local: boolean;
  strings: Strings;
}

/** Ids only have to be unique within a shadow root. */
let lastId = 0;

/** Makes the elements of one document. */
export function viewHit(hit: Hit, context: HitContext): HitView {
  const titleId = `title-${++lastId}`;
  const title = make("span", { class: "title", part: "title", id: titleId, dir: "auto" }, hit.title || hit.path);
  if (context.local) title.append(make("span", { class: "badge" }, context.strings.added));
  const best = option(hit, hit.path, hit.url, "hit", context, [
    title,
    ...trail(hit),
    ...excerpt(hit),
    ...question(hit, context.strings),
  ]);
  const sections = hit.sections.map((section, index) =>
    option(hit, `${hit.path}#${index}`, section.url, "hit section", context, [
      make("span", { class: "title", part: "title", dir: "auto" }, section.heading || hit.title),
      ...excerpt(section),
    ]),
  );
  const duplicates = hit.duplicates.map((duplicate) =>
    option(hit, duplicate.path, duplicate.url, "hit section", context, [sameText(duplicate, context.strings)]),
  );
  const options = [best, ...sections, ...duplicates];
  const element = make("div", { class: "hit", role: "group", "aria-labelledby": titleId });
  element.append(...options.map((each) => each.element));
  if (hit.language) element.lang = hit.language;
  return { hit, element, options };
}

function option(hit: Hit, key: string, url: string, part: string, context: HitContext, content: Node[]): Option {
  const href = context.local ? undefined : safeUrl(url, context.root);
  const attributes = {
    id: `option-${++lastId}`,
    role: "option",
    "aria-selected": "false",
    class: part.replace("hit", "option"),
    part,
  };
  const element = href ? make("a", { ...attributes, href, tabindex: "-1" }) : make("div", attributes);
  element.append(...content);
  return { key, hit, element };
}

/** Headings between the title and the text: where in the document this is. */
function trail(hit: Hit): HTMLElement[] {
  const headings = hit.headingPath.filter((heading, index) => heading && !(index === 0 && heading === hit.title));
  if (headings.length === 0) return [];
  return [make("span", { class: "trail", dir: "auto" }, headings.join(" › "))];
}

function excerpt({ excerpt: text, highlights }: Hit | SectionHit): HTMLElement[] {
  if (!text) return [];
  const element = make("span", { class: "excerpt", part: "excerpt", dir: "auto" });
  element.append(...pieces(text, highlights).map((piece) => (piece.marked ? make("mark", {}, piece.text) : piece.text)));
  return [element];
}

/** A document that says the same: by its path, as its title is most likely the same, too. */
function sameText({ path, title }: Duplicate, { sameText: label }: Strings): HTMLElement {
  const name = make("span", { dir: "auto" }, title === path ? path : `${title} (${path})`);
  return make("span", { class: "excerpt", part: "duplicate" }, make("b", {}, label), " ", name);
}

function question(hit: Hit, strings: Strings): HTMLElement[] {
  if (!hit.question) return [];
  return [make("span", { class: "question", part: "question", dir: "auto" }, make("b", {}, strings.answers), ` ${hit.question}`)];
}
