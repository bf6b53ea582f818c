import assert from "node:assert/strict";
import { test } from "node:test";
import { Combobox, type KeyPress } from "../src/element/combobox.js";
import { pieces } from "../src/element/excerpt.js";
import { safeUrl } from "../src/element/safe-url.js";
import { isShortcut } from "../src/element/shortcut.js";
import { settle } from "../src/element/stability.js";

/** Presses keys in an open list of a, b and c, and says what is active and what the last key did. */
function press(...keys: (string | KeyPress)[]): string {
  const combobox = new Combobox();
  combobox.setOptions(["a", "b", "c"]);
  combobox.open();
  let last = "";
  for (const key of keys) {
    const action = combobox.press(typeof key === "string" ? { key } : key, false);
    last = action.type === "open" ? `open ${action.option}${action.newTab ? " in a tab" : ""}` : action.type;
  }
  return `${combobox.active ?? "box"}, ${combobox.expanded ? "open" : "shut"}, ${last}`;
}

test("keys of the combobox", () => {
  const rows: [(string | KeyPress)[], string][] = [
    [["ArrowDown"], "a, open, moved"],
    [["ArrowDown", "ArrowDown"], "b, open, moved"],
    [["ArrowUp"], "c, open, moved"],
    [["ArrowDown", "ArrowUp"], "box, open, moved"],
    [["ArrowUp", "ArrowDown"], "box, open, moved"],
    [["Home"], "box, open, none"],
    [["ArrowDown", "End"], "c, open, moved"],
    [["ArrowUp", "Home"], "a, open, moved"],
    [["Enter"], "box, open, open a"],
    [["ArrowUp", "Enter"], "c, open, open c"],
    [["ArrowDown", { key: "Enter", ctrlKey: true }], "a, open, open a in a tab"],
    [["ArrowDown", { key: "Enter", metaKey: true }], "a, open, open a in a tab"],
    [[{ key: "Enter", isComposing: true }], "box, open, none"],
    [["ArrowDown", { key: "ArrowDown", shiftKey: true }], "a, open, none"],
    [["ArrowDown", "Escape"], "box, shut, closed"],
    [["Escape", "Escape"], "box, shut, clear"],
    [["Escape", "Enter"], "box, shut, none"],
    [["Escape", "ArrowDown"], "box, open, moved"],
    [[{ key: "ArrowUp", altKey: true }], "box, shut, closed"],
    [["x"], "box, open, none"],
  ];
  for (const [keys, expected] of rows) assert.equal(press(...keys), expected, JSON.stringify(keys));
});

test("the active option survives a new list that has it, and no other", () => {
  const combobox = new Combobox();
  combobox.setOptions(["a", "b"]);
  combobox.open();
  combobox.press({ key: "ArrowDown" }, false);
  combobox.setOptions(["b", "a", "c"]);
  assert.equal(combobox.active, "a");
  combobox.setOptions(["b"]);
  assert.equal(combobox.active, undefined);
});

test("what the reader is at stays where it is", () => {
  const rows: [string, string, string | undefined, string][] = [
    ["abc", "cba", undefined, "cba"],
    ["abc", "cba", "a", "acb"],
    ["abc", "cba", "b", "abc"],
    ["abc", "dcbae", "b", "abdce"],
    ["abc", "de", "a", "ade"],
    ["abc", "", "b", "ab"],
    ["abc", "cba", "x", "cba"],
    ["", "ab", "a", "ab"],
  ];
  const list = (text: string) => [...text].map((path) => ({ path }));
  for (const [shown, next, held, expected] of rows) {
    const settled = settle(list(shown), list(next), held).map(({ path }) => path);
    assert.equal(settled.join(""), expected, `${shown} -> ${next} held ${held}`);
  }
});

test("what stays is the very same object, and nothing is there twice", () => {
  for (let seed = 1; seed < 500; seed++) {
    const shown = shuffled(seed).map((path) => ({ path }));
    const next = shuffled(seed * 7 + 3).map((path) => ({ path }));
    const at = seed % shown.length;
    const settled = settle(shown, next, shown[at]?.path);
    assert.ok(shown.slice(0, at + 1).every((item, index) => settled[index] === item));
    assert.equal(new Set(settled.map(({ path }) => path)).size, settled.length);
  }
});

/** Some of the letters a to h, in an order that the seed decides. */
function shuffled(seed: number): string[] {
  const weight = (letter: string) => (letter.charCodeAt(0) * seed * 2654435761) % 1009;
  return [..."abcdefgh"].sort((a, b) => weight(a) - weight(b)).slice(0, 3 + (seed % 5));
}

test("excerpts are cut at their highlights, and nothing is lost", () => {
  const rows: [string, [number, number][], string][] = [
    ["plain", [], "plain"],
    ["one two", [[4, 7]], "one [two]"],
    ["one two", [[4, 7], [0, 3]], "[one] [two]"],
    ["one two", [[0, 5], [2, 7]], "[one t][wo]"],
    ["one", [[1, 99]], "o[ne]"],
    ["one", [[5, 9]], "one"],
    ["one", [[2, 2]], "one"],
    ["a 😀 b", [[2, 4]], "a [😀] b"],
    ["<b>&", [[0, 3]], "[<b>]&"],
  ];
  for (const [text, ranges, expected] of rows) {
    const cut = pieces(text, ranges.map(([start, end]) => ({ start, end })));
    assert.equal(cut.map((piece) => (piece.marked ? `[${piece.text}]` : piece.text)).join(""), expected);
    assert.equal(cut.map((piece) => piece.text).join(""), text);
  }
});

test("only web addresses become links", () => {
  const root = "https://example.org/docs/";
  const rows: [string, string | undefined][] = [
    ["guide.html#a", "https://example.org/docs/guide.html#a"],
    ["../x", "https://example.org/x"],
    ["/x", "https://example.org/x"],
    ["https://other.example/", "https://other.example/"],
    ["javascript:alert(1)", undefined],
    [" java\nscript:alert(1)", undefined],
    ["JAVASCRIPT:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["blob:https://example.org/x", undefined],
    ["file:///etc/passwd", undefined],
    ["https://", undefined],
  ];
  for (const [url, expected] of rows) assert.equal(safeUrl(url, root), expected, url);
});

test("the shortcut leaves other inputs alone", () => {
  const own = new EventTarget();
  const input = Object.assign(new EventTarget(), { tagName: "INPUT" });
  const body = Object.assign(new EventTarget(), { tagName: "BODY" });
  const rows: [string, string | null, EventTarget[], boolean][] = [
    ["ctrl+k", null, [body], true],
    ["meta+k", null, [body], true],
    ["ctrl+K", null, [body], true],
    ["k", null, [body], false],
    ["ctrl+k", null, [input, body], false],
    ["ctrl+k", null, [input, own, body], true],
    ["ctrl+shift+k", null, [body], false],
    ["ctrl+k", "none", [body], false],
    ["/", null, [body], false],
    ["/", "/", [body], true],
    ["/", "/", [input], false],
    ["/", "/", [input, own], false],
    ["ctrl+j", "mod+j", [body], true],
  ];
  for (const [keys, shortcut, path, expected] of rows) {
    const parts = keys.split("+");
    const event = {
      key: parts.at(-1) ?? "",
      ctrlKey: parts.includes("ctrl"),
      metaKey: parts.includes("meta"),
      shiftKey: parts.includes("shift"),
      altKey: false,
      defaultPrevented: false,
      composedPath: () => path,
    };
    assert.equal(isShortcut(event, shortcut, own), expected, `${keys} with ${shortcut}`);
  }
});
