/** The pane's look, beside the element's style sheet, whose colours it takes. */

const CSS = `
.ask { flex: none; max-block-size: 60%; overflow-y: auto; overscroll-behavior: contain; padding: 0.4rem; border-block-end: 1px solid var(--_border); }
:host([inline]) .ask { max-block-size: none; }
.ask button { font: inherit; color: inherit; cursor: pointer; }
.ask-button {
  display: flex;
  align-items: baseline;
  gap: 0.5em;
  inline-size: 100%;
  padding: 0.5rem 0.75rem;
  border: 0;
  border-radius: calc(var(--_radius) - 4px);
  background: none;
  text-align: start;
}
.ask-button:hover { background: var(--_active); }
.ask-button:focus-visible, .ask a:focus-visible, .ask-cancel:focus-visible { outline: 2px solid var(--_accent); outline-offset: -2px; }
.ask-button b { flex: none; color: var(--_accent); font-weight: 600; }
.ask-button span { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ask-button[aria-disabled="true"] { cursor: default; background: none; }
.answer { padding: 0.35rem 0.75rem 0.6rem; }
.answer-label { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; color: var(--_quiet); font-size: 0.8em; }
.ask-cancel { padding: 0.1em 0.7em; border: 1px solid var(--_border); border-radius: 1em; background: none; }
.answer-text { margin-block: 0.3em 0; white-space: pre-line; overflow-wrap: anywhere; }
.answer-text:focus { outline: 0; }
.answer a { color: var(--_accent); }
.answer code { padding: 0.05em 0.3em; border-radius: 4px; background: var(--_active); font-size: 0.92em; }
.citation { font-size: 0.85em; text-decoration: none; }
a.citation:hover { text-decoration: underline; }
.answer-note { margin-block: 0.4em 0; color: var(--_quiet); font-size: 0.85em; overflow-wrap: anywhere; }
.answer ol { margin-block: 0.4em 0; padding-inline-start: 1.6em; font-size: 0.85em; overflow-wrap: anywhere; }
.answer ol::marker { color: var(--_quiet); }
.ask.busy .answer-text::after { content: "▍"; color: var(--_quiet); }
@media (prefers-reduced-motion: no-preference) { .ask.busy .answer-text::after { animation: ask-blink 1s steps(2) infinite; } }
@keyframes ask-blink { to { opacity: 0; } }
@media (max-width: 40rem) { .ask-button kbd { display: none; } }
`;

let sheet: CSSStyleSheet | undefined;

/** The one style sheet of all panes. */
export function paneStyles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}
