/** The key that focuses the box from anywhere on the page. */

/** The part of a keyboard event that counts. */
type ShortcutEvent = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "composedPath" | "defaultPrevented">;

const DEFAULT = "mod+k";

/**
 * Whether `event` is the shortcut. Other inputs keep their keys: what is typed into them is never taken.
 *
 * @param shortcut `mod+k` (Cmd on a Mac, Ctrl elsewhere), a single character such as `/`, or `none`
 * @param own the element itself, whose own input does not count as another one
 */
export function isShortcut(event: ShortcutEvent, shortcut: string | null, own: EventTarget): boolean {
  const wanted = (shortcut || DEFAULT).toLowerCase();
  if (wanted === "none" || event.defaultPrevented || event.altKey) return false;
  const path = event.composedPath();
  if (!path.includes(own) && path[0] !== undefined && takesText(path[0])) return false;
  if (!wanted.startsWith("mod+")) return !path.includes(own) && event.key === wanted && !event.ctrlKey && !event.metaKey;
  return event.key.toLowerCase() === wanted.slice(4) && !event.shiftKey && (event.ctrlKey || event.metaKey);
}

/** What to show in the box; nothing for `none`. */
export function shortcutName(shortcut: string | null): string | undefined {
  const wanted = shortcut || DEFAULT;
  if (wanted === "none") return undefined;
  if (!wanted.startsWith("mod+")) return wanted;
  const apple = /Mac|iPhone|iPad/.test(navigator.platform);
  return `${apple ? "⌘" : "Ctrl "}${wanted.slice(4).toUpperCase()}`;
}

/** The same in the words of `aria-keyshortcuts`: all combinations that are taken. */
export function shortcutKeys(shortcut: string | null): string | undefined {
  const wanted = shortcut || DEFAULT;
  if (wanted === "none") return undefined;
  const key = wanted.startsWith("mod+") ? wanted.slice(4).toUpperCase() : wanted;
  return wanted.startsWith("mod+") ? `Control+${key} Meta+${key}` : key;
}

function takesText(target: EventTarget): boolean {
  if (!("tagName" in target) || typeof target.tagName !== "string") return false;
  if (["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)) return true;
  return "isContentEditable" in target && target.isContentEditable === true;
}
