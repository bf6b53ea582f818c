/** `querent-ask.js`: asking a language model, and the pane of the search box. Loaded when a page does either. */

export { ask } from "./ask.js";
export { AskPane } from "./pane.js";
