// One declaration file of what tsc wrote for each source: `querent.d.ts`.
//
// The public types stand in few files that import each other by relative names. Their declarations are put one
// after the other, imports and re-exports are dropped, and only what index.ts exports is exported.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Sources with public types; those that they use come first. */
const SOURCES = ["errors", "types", "client", "element/strings", "element/element", "offline"];
/** DTOs of the Rust side that the public types name. */
const GENERATED = [
  "DiversifyRequest", "Duplicate", "Explanation", "Facet", "FileEntry", "FileKind", "Filter", "FusionMethod", "FusionSettings", "HighlightRange", "Hit", "ModelIdentity", "Passage", "PassageScore",
  "QueryAnalysis", "QueryEncoder", "RerankRequest",
  "SearchMode", "SearchRequest", "SearchResponse", "SectionHit", "Sort", "Stats",
];
/** The same of the module that asks. */
const GENERATED_ASK = ["AskAnswer", "AskHeaders", "AskServer", "AskTurn"];
/** What index.ts exports besides the types of types.ts. */
const HEADER = "// Types of querent.js. Made by the build; the sources are www/src and the Rust DTOs.\n";

/** @returns the text of querent.d.ts */
export function bundleTypes(folder, generated) {
  const declared = (module, names) => {
    const dtos = readFileSync(join(generated, `${module}.d.ts`), "utf8");
    return names.map((name) => declaration(dtos, name));
  };
  const parts = [...declared("search", GENERATED), ...declared("ask", GENERATED_ASK)];
  for (const source of SOURCES) parts.push(withoutImports(readFileSync(join(folder, `${source}.d.ts`), "utf8")));
  return `${HEADER}\n${parts.join("\n")}`;
}

/** The exported interface or type of that name, with its comment. */
function declaration(text, name) {
  const found = new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/\\s*)?export (?:interface ${name}\\b[^{]*\\{[^]*?\\n\\}|type ${name}\\b[^;]*;)`).exec(text);
  if (!found) throw new Error(`the modules declare no ${name}; expected a type made by tsify`);
  return `${found[0]}\n`;
}

function withoutImports(text) {
  return text
    .replace(/^import [^;]*;\n/gm, "")
    .replace(/^export (type )?(\{[^}]*\}|\*) from [^;]*;\n/gm, "")
    .replace(/^export \{\};\n/gm, "")
    .replace(/^ {4}(private constructor|static start|static readonly observedAttributes|connectedCallback|disconnectedCallback|attributeChangedCallback|#private)[^;]*;\n/gm, "");
}
