/**
 * An excerpt as pieces: plain and marked in turn. Positions count UTF-16 units, as JavaScript's strings do.
 */

/** A stretch of an excerpt. */
export interface Piece {
  text: string;
  marked: boolean;
}

/** Cuts `text` at the highlights. Ranges that overlap, are empty or reach beyond the text do no harm. */
export function pieces(text: string, highlights: readonly { start: number; end: number }[]): Piece[] {
  const result: Piece[] = [];
  let at = 0;
  const push = (end: number, marked: boolean) => {
    if (end > at) result.push({ text: text.slice(at, end), marked });
    at = Math.max(at, end);
  };
  for (const { start, end } of [...highlights].sort((a, b) => a.start - b.start)) {
    push(Math.min(start, text.length), false);
    push(Math.min(end, text.length), true);
  }
  push(text.length, false);
  return result;
}
