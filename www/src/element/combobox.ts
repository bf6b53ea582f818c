/**
 * How the search box behaves, without anything to look at: which option is active, and what a key does. After
 * the ARIA Authoring Practices' combobox with a list box and no automatic selection.
 */

/** What of a keyboard event counts. */
export interface KeyPress {
  key: string;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
  shiftKey?: boolean;
  /** An input method is composing a character: its keys are its own. */
  isComposing?: boolean;
}

/** What is to be done after a key. Everything but `none` takes the key from the browser. */
export type KeyAction =
  | { type: "none" }
  /** Another option is active now, or the list was opened. */
  | { type: "moved" }
  /** Go where this option leads. */
  | { type: "open"; option: string; newTab: boolean }
  | { type: "closed" }
  /** Empty the box. */
  | { type: "clear" };

const NONE: KeyAction = { type: "none" };

/** The state of one box and its list. Options are known by unique keys. */
export class Combobox {
  #options: readonly string[] = [];
  #active: string | undefined;
  #open = false;

  /** The active option; nothing while the reader is in the box. */
  get active(): string | undefined {
    return this.#active;
  }

  /** Whether the list is to be seen. */
  get expanded(): boolean {
    return this.#open;
  }

  /** Takes a new list. The active option stays active while it is in the list. */
  setOptions(options: readonly string[]): void {
    this.#options = options;
    if (this.#active !== undefined && !options.includes(this.#active)) this.#active = undefined;
  }

  /** Shows the list. */
  open(): void {
    this.#open = true;
  }

  /** Hides the list; no option is active then. */
  close(): void {
    this.#open = false;
    this.#active = undefined;
  }

  /** Back into the box: the reader types on. */
  release(): void {
    this.#active = undefined;
  }

  /** Handles a key. `empty` says whether the box is. */
  press(press: KeyPress, empty: boolean): KeyAction {
    if (press.isComposing) return NONE;
    switch (press.key) {
      case "ArrowDown":
        return press.altKey ? this.#show() : this.#move(press, 1);
      case "ArrowUp":
        return press.altKey ? this.#hide() : this.#move(press, -1);
      case "Home":
        return this.#jump(press, 0);
      case "End":
        return this.#jump(press, this.#options.length - 1);
      case "Enter":
        return this.#enter(press);
      case "Escape":
        return this.#escape(empty);
      default:
        return NONE;
    }
  }

  /** From the box to the first or last option, from option to option, and over either end back to the box. */
  #move(press: KeyPress, step: 1 | -1): KeyAction {
    if (press.ctrlKey || press.metaKey || press.shiftKey || this.#options.length === 0) return NONE;
    if (!this.#open) return this.#show();
    const places = this.#options.length + 1;
    const at = this.#active === undefined ? 0 : this.#options.indexOf(this.#active) + 1;
    const next = (at + step + places) % places;
    this.#active = next === 0 ? undefined : this.#options[next - 1];
    return { type: "moved" };
  }

  /** Home and End belong to the text while the reader is in the box. */
  #jump(press: KeyPress, index: number): KeyAction {
    if (!this.#open || this.#active === undefined || press.shiftKey || press.ctrlKey || press.metaKey) return NONE;
    this.#active = this.#options[index];
    return { type: "moved" };
  }

  #enter(press: KeyPress): KeyAction {
    const option = this.#active ?? this.#options[0];
    if (!this.#open || option === undefined) return NONE;
    return { type: "open", option, newTab: press.ctrlKey === true || press.metaKey === true };
  }

  #escape(empty: boolean): KeyAction {
    if (this.#open) return this.#hide();
    return empty ? NONE : { type: "clear" };
  }

  #show(): KeyAction {
    this.#open = true;
    return { type: "moved" };
  }

  #hide(): KeyAction {
    if (!this.#open) return NONE;
    this.close();
    return { type: "closed" };
  }
}
