import type { JournalLine } from './journal.js';

/** The mark of a journal that has no lines. */
export const NO_LINES = '';

/**
 * The mark of a journal once a line was added to it. Two journals with as many lines and the same
 * mark have the same lines, as far as chance allows: once in 2^64 they have not. It is the same in
 * the workflow and in the activities, and for a line that Postgres or Temporal has carried. Source
 * of the mixing: FNV-1a, two of them side by side.
 */
export function markAfter(mark: string, line: JournalLine): string {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (const character of `${mark}\n${wordsOf(line)}`) {
    const code = character.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 15;
  }
  return `${hex(high)}${hex(low)}`;
}

/** The mark of the first `count` lines of a journal. */
export function markOf(lines: readonly JournalLine[], count: number): string {
  return lines.slice(0, count).reduce(markAfter, NO_LINES);
}

/** In the order of the names, since neither store keeps the order in which they were written. */
function wordsOf(line: JournalLine): string {
  return Object.entries(line)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('\n');
}

function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(8, '0');
}
