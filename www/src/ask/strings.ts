/** What the pane says. A page in another language replaces what it wants, together with the element's strings. */

import type { AskStrings } from "../element/strings.js";

/** English. */
export const ASK_ENGLISH: AskStrings = {
  ask: "Ask",
  askKeys: "Shift+Enter",
  asking: "Looking for passages",
  reading: (sources) => (sources === 1 ? "Reading 1 passage" : `Reading ${sources} passages`),
  cancel: "Cancel",
  cancelled: "Cancelled",
  answerBy: "Answer by a language model: check it against its sources",
  sources: "Sources",
  silent: "The results below may still help.",
  uncited: "It names no source. These are the passages that it was given:",
  invented: (numbers) => `It cited sources that it was not given (${numbers.join(", ")}); these citations were taken out.`,
  cut: "It ends early, at the limit of its length.",
  askFailed: (reason) => `No answer: ${reason}`,
  reasons: {
    network: "the language model cannot be reached",
    timeout: "the language model took too long",
    busy: "the language model is busy, ask again later",
    endpoint: "the language model's server refuses the question",
    cut: "the answer broke off, ask again",
    "no-answer": "the language model said nothing",
    request: "this page asks in a wrong way",
    fetch: "a part of the search could not be loaded",
  },
};
