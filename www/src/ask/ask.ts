/**
 * From a question to an answer: a search for passages that differ from one another, then the model. Prompt, protocol and
 * citations are the wasm module's.
 */

import type { PassageOptions } from "../client.js";
import { QuerentError } from "../errors.js";
import type { AskServer } from "../generated/ask.js";
import type { Answer, AnswerSource, AskEndpoint, AskOptions, Hit, SearchResponse } from "../types.js";
import { askModule, dropModule } from "./module.js";

/** Sources where nothing else is said, and documents to choose them from. */
const SOURCES = 6;
const CANDIDATES = 20;
const MOST_SOURCES = 20;
const LAMBDA = 0.5;

/** How a search is asked for. */
export type Search = (query: string, options: PassageOptions) => Promise<SearchResponse>;

/** Answers `question`. See `Querent.ask`. */
export async function ask(search: Search, question: string, options: AskOptions): Promise<Answer> {
  const { endpoint, history = [], onSources, onText, signal, template } = options;
  const module = endpoint || history.length > 0 ? await askModule() : undefined;
  const query = module ? module.queryAfter([...history], question) : question;
  const { hits, passages = [] } = await search(query, passageOptions(options));
  const found = hits.slice(0, passages.length);
  const sources = found.map(source);
  onSources?.(sources);
  if (!module || !endpoint) return { question, sources, citations: [], invented: [], saysNothing: sources.length === 0, isCut: false };
  const given = found.map(({ headingPath }, index) => ({ headingPath, passage: passages[index]?.text ?? "" }));
  const request = { question, sources: given, history: [...history], server: server(endpoint), ...(template ? { template } : {}) };
  try {
    return { question, sources, ...(await module.answer(request, endpoint.headers, onText, signal)) };
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) dropModule();
    throw thrown;
  }
}

/** One passage of each document, chosen to differ. */
function passageOptions({ k = SOURCES, fetchK = Math.max(k, CANDIDATES), lambda = LAMBDA, mode, filters, signal }: AskOptions): PassageOptions {
  if (!(k >= 1 && k <= MOST_SOURCES)) throw new QuerentError("request", `k: expected 1 to ${MOST_SOURCES}, found ${k}`);
  return {
    limit: k,
    prefix: false,
    sectionsPerDocument: 0,
    collapse: false,
    queryEncoder: "table",
    diversify: { k, fetchK, lambda },
    rerank: { candidates: k, chunksPerDocument: 1 },
    ...(mode ? { mode } : {}),
    ...(filters ? { filters } : {}),
    ...(signal ? { signal } : {}),
  };
}

function server({ headers: _, url, ...rest }: AskEndpoint): AskServer {
  const page = typeof document === "undefined" ? undefined : document.baseURI;
  return { ...rest, url: new URL(url, page).href };
}

function source({ path, title, heading, headingPath, url, anchor, excerpt }: Hit, index: number): AnswerSource {
  const page = /(?:^|[#&])page=(\d+)/.exec(anchor ?? "")?.[1];
  return { number: index + 1, path, title, heading, headingPath, url, excerpt, ...(page ? { page: Number(page) } : {}) };
}
