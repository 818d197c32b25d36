import { expect } from 'vitest';
import { plain } from '../../support/document.js';

const page = 'docs/states.md';
export { page };

/** The page and its tests know the same rows: none without a test, no test without one. */
export function expectSameRows(
  rows: readonly (readonly string[])[],
  told: Readonly<Record<string, unknown>>,
): void {
  const written = rows.map(([first = '']) => plain(first));
  expect(new Set(written).size).toBe(written.length);
  expect(Object.keys(told).toSorted()).toEqual(written.toSorted());
}

/** What stands for a cell or a row; throws when nothing does. */
export function meaningOf<Meaning>(
  meanings: Readonly<Record<string, Meaning>>,
  words: string,
): Meaning {
  const meaning = meanings[plain(words)];
  if (meaning === undefined) throw new Error(`no test says what "${words}" means`);
  return meaning;
}
