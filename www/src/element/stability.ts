/**
 * The rule by which a list is replaced under a reader's eyes.
 *
 * While the reader is in the box, the new list simply takes the old one's place. As soon as the reader has gone
 * into the list, with a key or by moving the pointer, the document they are at and everything above it stay
 * exactly as they are; everything below is the new list without the documents that stayed. So nothing ever moves
 * under a pointer or an active option, and a better result appears right below it at the latest. Typing on means
 * leaving the list: then the next list replaces everything again.
 */

/** What the rule needs to know about a document. */
export interface Identified {
  path: string;
}

/**
 * The list to show.
 *
 * @param shown what the reader sees
 * @param next the new list, best first
 * @param held path of the document that the reader is at, if they are in the list
 */
export function settle<T extends Identified>(shown: readonly T[], next: readonly T[], held: string | undefined): T[] {
  const at = held === undefined ? -1 : shown.findIndex(({ path }) => path === held);
  const kept = shown.slice(0, at + 1);
  const keptPaths = new Set(kept.map(({ path }) => path));
  return [...kept, ...next.filter(({ path }) => !keptPaths.has(path))];
}
