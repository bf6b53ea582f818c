/**
 * The types that a page meets. Those of a search come from the Rust DTOs, through the wasm modules' own
 * declarations; nothing here is written a second time by hand.
 */

export type {
  DiversifyRequest,
  Duplicate,
  Explanation,
  FileEntry,
  FileKind,
  FusionSettings,
  Hit,
  ModelIdentity,
  Passage,
  PassageScore,
  RerankRequest,
  SearchMode,
  SearchRequest,
  SearchResponse,
  SectionHit,
  Stats,
} from "./generated/search.js";
export type { AskAnswer, AskHeaders, AskServer, AskTurn } from "./generated/ask.js";

import type { AskAnswer, AskHeaders, AskServer, AskTurn } from "./generated/ask.js";
import type { ModelIdentity, RerankRequest, SearchMode, SearchRequest, SearchResponse, Stats } from "./generated/search.js";

/** Where the index is, and how it is to be used. */
export interface QuerentOptions {
  /** Folder with `manifest.json`: absolute, or relative to the page. Default: the folder of `querent.js`. */
  url?: string | URL;
  /** Search the index of `url`: default true. `false` searches nothing but added documents. */
  index?: boolean;
  /** Name of the IndexedDB database: default one per folder. Two names never share documents. */
  database?: string;
  /** Work in a worker: default true. `false` blocks the page during a search; meant for debugging. */
  worker?: boolean;
  /**
   * Milliseconds of silence after which a worker that was asked something is replaced: 1,000 and up, default
   * 20,000. Low values replace workers that are busy with a long document, high ones let a reader wait.
   */
  patience?: number;
  /** The cross-encoder of searches with `rerank`. Nothing is loaded before the first of them. */
  rerank?: RerankModelOptions;
  /** Who answers {@link Querent.ask}. Without it nothing is ever sent to anybody. */
  endpoint?: AskEndpoint;
}

/** A server with OpenAI's chat API: the site owner's own, or a proxy that adds the key. A page must not hold one. */
export interface AskEndpoint extends Omit<AskServer, "url"> {
  /** Its address up to `/chat/completions`, absolute or relative to the page. */
  url: string | URL;
  /**
   * Headers of each request, for instance with a token of the reader's own session. It is called in the page, before
   * every request.
   */
  headers?: AskHeaders;
}

/** How one question is asked. Every field may be left out. */
export interface AskOptions {
  /** Who answers: default what `Querent.init` was given. Without any, the sources are found and nothing is sent. */
  endpoint?: AskEndpoint | undefined;
  /** Sources to answer from: 1 to 20, default 6. */
  k?: number;
  /** Documents to choose them from: `k` and up, default 20. */
  fetchK?: number;
  /** How they are chosen: 0 (as different as can be) to 1 (the best), default 0.5. */
  lambda?: number;
  /** Which candidates take part: default `hybrid`. */
  mode?: SearchMode;
  /** What every source has to have. */
  filters?: SearchRequest["filters"];
  /** Earlier questions and answers of the conversation, the latest last. */
  history?: readonly AskTurn[];
  /** The prompt, with `{{sources}}` and `{{question}}` in it, once each. */
  template?: string;
  /** Takes the sources, before the model is asked. */
  onSources?: (sources: readonly AnswerSource[]) => void;
  /** Takes the words of the answer as they come. They are text: put them into the page by `append` or `textContent`. */
  onText?: (words: string) => void;
  /** Gives the question up: the promise rejects with the code `aborted`. */
  signal?: AbortSignal;
}

/** Something that an answer was made from. */
export interface AnswerSource {
  /** Its number in the answer, from 1. */
  number: number;
  /** Identifier of the document. */
  path: string;
  title: string;
  /** Heading of the section; empty where it has none. */
  heading: string;
  /** Headings from the title down to the section. */
  headingPath: string[];
  /** Address of the section, as a hit has it. */
  url: string;
  excerpt: string;
  /** Page of a document that has pages, from 1. */
  page?: number;
}

/** An answer, its citations checked; or, where nobody is configured to answer, the best passages. */
export interface Answer extends Omit<AskAnswer, "answer"> {
  question: string;
  /** The answer with citations such as `[1]`. Absent where no endpoint is configured: the sources are no answer. */
  answer?: string;
  /** What the numbers mean, in their order. */
  sources: AnswerSource[];
}

/** The cross-encoder. */
export interface RerankModelOptions {
  /**
   * A pack that `querent model pack --reranker` wrote (some 34 MB): absolute, or relative to the page. Default: the
   * one that `querent build --reranker` put beside the index.
   */
  url?: string | URL;
  /**
   * Milliseconds of scoring per search: 1 and up, default 2,000, the loading not counted. Low values leave most
   * documents in their fused order, high ones let a reader wait for theirs.
   */
  budget?: number;
}

/** Settings of the reranking of one search. */
export interface RerankOptions extends Omit<RerankRequest, "scores"> {
  /** Milliseconds of scoring: 1 and up, default what `Querent.init` was given. */
  budget?: number;
}

/** Settings of one search. What is left out keeps the default of the Rust `SearchRequest`. */
export interface SearchOptions extends Omit<SearchRequest, "query" | "rerank"> {
  /**
   * Have the first documents (20 where nothing else is said) read together with the query by the cross-encoder
   * beside the index, or the one that `Querent.init` was given: default false. `onUpdate` has the fused response meanwhile. What is not scored
   * within the budget keeps its fused order behind what was.
   */
  rerank?: boolean | RerankOptions;
  /**
   * Takes the lexical response while the semantic one is still being made, and with `rerank` the fused one while
   * it is reranked. It is called before the promise resolves, and never when the promise resolves with that same
   * response.
   */
  onUpdate?: (response: SearchResponse) => void;
  /** Takes how far `rerank` has come: the download of the cross-encoder, then its passages. */
  onProgress?: (progress: Progress) => void;
  /** Gives the search up: the promise rejects with the code `aborted`. */
  signal?: AbortSignal;
  /** Milliseconds between the lexical and the semantic search: 0 and up, default 0. A search box waits until typing pauses. */
  semanticDelay?: number;
}

/** How far something has come. `total` is 0 while nobody knows it. */
export interface Progress {
  /** What is being done. */
  stage: "download" | "prepare" | "embed" | "rerank";
  /** Bytes, or chunks when embedding, or passages when reranking, that are done. */
  done: number;
  /** Bytes, or chunks, in all. */
  total: number;
}

/** How the embedding model stands. */
export type ModelState = "none" | "idle" | "loading" | "ready" | "failed";

/** Something that a page may want to react to. */
export type QuerentEvent =
  /** Results may be different now: search again. */
  | { type: "changed"; what: "documents" | "index" | "model" }
  | { type: "model"; state: ModelState }
  /** The host had died and was replaced; nothing is lost. */
  | { type: "restarted" };

/** A document that the page added. */
export interface LocalDocument {
  /** Its identifier: a file name or path. */
  path: string;
  /** Its title, as the reader of its type found it. */
  title: string;
  /** Bytes of the original. */
  bytes: number;
  /** Chunks that it was split into. */
  chunks: number;
  /** Questions that it answers. */
  questions: number;
  /** Vectors; 0 until the model has been loaded. */
  vectors: number;
  /** When it was added: milliseconds since 1970. */
  added: number;
}

/** What the index holds, and where. */
export interface QuerentStats extends Stats {
  /** Documents that the page added; they are counted in `documents` too. */
  localDocuments: number;
  /** Where files are kept: `memory` means that they are gone when the page is closed. */
  storage: "indexeddb" | "memory";
  /** Bytes kept there. */
  storedBytes: number;
  /** The embedding model. */
  modelState: ModelState;
  /** The model of the index's vectors, where it has any. */
  model?: ModelIdentity;
}

/** Something to add: a file as the browser gives it, or a text with a path. */
export type DocumentInput = File | { path: string; content: string | ArrayBuffer | Uint8Array };

/** What became of one document. A document that cannot be read does not stop the others. */
export type AddResult = { path: string; document: LocalDocument } | { path: string; error: Error & { code: string } };
