/** What the element says. A page in another language replaces what it wants: `element.strings = {...}`. */

/** Texts of the pane that asks, where a page has one; what is left out is English. */
export interface AskStrings {
  /** Before the question, on the button. */
  ask: string;
  /** Name of the keys that ask. */
  askKeys: string;
  asking: string;
  reading: (sources: number) => string;
  cancel: string;
  cancelled: string;
  /** Above an answer. */
  answerBy: string;
  sources: string;
  silent: string;
  uncited: string;
  invented: (numbers: number[]) => string;
  cut: string;
  askFailed: (reason: string) => string;
  /** Reasons by the code of the error. */
  reasons: Record<string, string>;
}

/** All texts of the element. */
export interface Strings extends Partial<AskStrings> {
  placeholder: string;
  results: string;
  answers: string;
  added: string;
  sameText: string;
  nothing: (query: string) => string;
  found: (documents: number) => string;
  shown: (shown: number, total: number) => string;
  unmatched: (phrases: string[]) => string;
  meaning: string;
  loadingModel: (percent: number | undefined) => string;
  preparing: string;
  modelReady: string;
  modelFailed: string;
  loadingReranker: (percent: number | undefined) => string;
  reranking: string;
  reranked: string;
  rerankFailed: string;
  failed: (message: string) => string;
  keys: string;
}

/** English. */
export const ENGLISH: Strings = {
  placeholder: "Search",
  results: "Search results",
  answers: "answers:",
  added: "added by you",
  sameText: "the same text:",
  nothing: (query) => `Nothing found for “${query}”`,
  found: (documents) => (documents === 1 ? "1 document found" : `${documents} documents found`),
  shown: (shown, total) => (shown < total ? `${shown} of ${total} documents` : total === 1 ? "1 document" : `${total} documents`),
  unmatched: (phrases) => `no document has ${phrases.map((phrase) => `“${phrase}”`).join(" and ")}`,
  meaning: "by words and meaning",
  loadingModel: (percent) => (percent === undefined ? "loading the model" : `loading the model, ${percent} %`),
  preparing: "Opening the index",
  modelReady: "the model is loaded",
  modelFailed: "by words; the model could not be loaded",
  loadingReranker: (percent) => (percent === undefined ? "loading the reranker" : `loading the reranker, ${percent} %`),
  reranking: "rereading the first results",
  reranked: "reranked",
  rerankFailed: "could not be reranked",
  failed: (message) => `Search failed: ${message}`,
  keys: "↑↓ choose · Enter open · Esc close",
};
