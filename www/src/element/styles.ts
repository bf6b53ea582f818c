/**
 * The look, as a constructable style sheet: a strict Content-Security-Policy forbids style elements and inline
 * styles, this it allows. Pages change the custom properties or style the parts. Only logical properties are
 * used, so that right-to-left documents mirror by themselves.
 */

const CSS = `
:host {
  display: block;
  position: relative;
  color-scheme: light dark;
  --_accent: var(--querent-accent, light-dark(#1f5fbf, #8ab8ff));
  --_background: var(--querent-background, light-dark(#ffffff, #17191d));
  --_text: var(--querent-text, light-dark(#1c1e21, #e8eaed));
  --_quiet: var(--querent-quiet, light-dark(#5b626c, #a3abb6));
  --_border: var(--querent-border, light-dark(#c9ced6, #3c424b));
  --_active: var(--querent-active, light-dark(#eaf1fc, #232c3b));
  --_mark: var(--querent-mark, light-dark(#fdeaa8, #463809));
  --_radius: var(--querent-radius, 10px);
  font: var(--querent-font, inherit);
  font-size: 1rem;
  line-height: 1.45;
  color: var(--_text);
  text-align: start;
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }

.box {
  display: flex;
  align-items: center;
  gap: 0.6em;
  padding-inline: 0.8em;
  background: var(--_background);
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
}
.box:focus-within { border-color: var(--_accent); outline: 2px solid var(--_accent); outline-offset: -1px; }
.icon { inline-size: 1.1em; block-size: 1.1em; flex: none; fill: none; stroke: var(--_quiet); stroke-width: 1.8; stroke-linecap: round; }
input {
  flex: 1;
  min-inline-size: 0;
  padding-block: 0.65em;
  border: 0;
  outline: 0;
  background: none;
  color: inherit;
  font: inherit;
  appearance: none;
}
input::placeholder { color: var(--_quiet); opacity: 1; }
kbd {
  flex: none;
  padding: 0.1em 0.45em;
  border: 1px solid var(--_border);
  border-radius: 5px;
  color: var(--_quiet);
  font: inherit;
  font-size: 0.75em;
  white-space: nowrap;
}
.box:focus-within kbd { display: none; }

.panel {
  position: absolute;
  z-index: 1000;
  inset-block-start: calc(100% + 6px);
  inset-inline-start: 0;
  inline-size: max(100%, min(38rem, calc(100vw - 2rem)));
  translate: var(--_shift, 0px) 0;
  display: flex;
  flex-direction: column;
  max-block-size: min(70vh, 44rem);
  background: var(--_background);
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  box-shadow: 0 12px 32px rgb(0 0 0 / 18%);
  overflow: hidden;
}
:host([inline]) .panel { position: static; inline-size: auto; max-block-size: none; margin-block-start: 0.75rem; box-shadow: none; }

.list { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 0.4rem; scroll-padding: 0.4rem; }
:host([inline]) .list { overflow: visible; }
.hit + .hit { margin-block-start: 0.3rem; padding-block-start: 0.3rem; border-block-start: 1px solid color-mix(in srgb, var(--_border) 55%, transparent); }
.option {
  display: block;
  padding: 0.55rem 0.75rem;
  border-radius: calc(var(--_radius) - 4px);
  color: inherit;
  text-decoration: none;
  overflow-wrap: anywhere;
}
a.option { cursor: pointer; }
.option:hover, .option.active { background: var(--_active); }
.option.active { outline: 2px solid var(--_accent); outline-offset: -2px; }
.title { display: block; color: var(--_accent); font-weight: 600; }
.trail { display: block; color: var(--_quiet); font-size: 0.82em; }
.badge { margin-inline-start: 0.6em; padding: 0.05em 0.5em; border: 1px solid var(--_border); border-radius: 1em; color: var(--_quiet); font-size: 0.75em; font-weight: 400; }
.excerpt {
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;
  margin-block-start: 0.15em;
  font-size: 0.9em;
}
.question { display: block; margin-block-start: 0.3em; color: var(--_quiet); font-size: 0.85em; }
.question b { font-weight: 600; }
.section { margin-inline-start: 0.75rem; padding-block: 0.35rem; border-inline-start: 2px solid var(--_border); border-start-start-radius: 0; border-end-start-radius: 0; }
.section .title { font-weight: 500; font-size: 0.92em; }
.section .excerpt { -webkit-line-clamp: 1; font-size: 0.83em; color: var(--_quiet); }
mark { padding-inline: 0.1em; border-radius: 3px; background: var(--_mark); color: var(--_text); }

.message { padding: 1.1rem; color: var(--_quiet); text-align: center; overflow-wrap: anywhere; }
.footer {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 0.2rem 1rem;
  padding: 0.45rem 1.1rem;
  border-block-start: 1px solid var(--_border);
  color: var(--_quiet);
  font-size: 0.78em;
}
.bar { flex: none; block-size: 2px; margin-block-end: -2px; background: var(--_accent); transform-origin: 0 50%; scale: var(--_done, 0) 1; transition: scale 0.2s; }
:host(:dir(rtl)) .bar { transform-origin: 100% 50%; }
.live { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 40rem) {
  .keys, kbd { display: none; }
  input { font-size: max(1em, 16px); }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; animation: none !important; } }
@media (forced-colors: active) { .option.active { outline-color: Highlight; } .bar { background: Highlight; } }
`;

let sheet: CSSStyleSheet | undefined;

/** The one style sheet of all elements. */
export function styles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}
