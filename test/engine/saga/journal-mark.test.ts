import { describe, expect, test } from 'vitest';
import { markAfter, markOf, NO_LINES } from '../../../src/engine/saga/journal-mark.js';
import type { JournalLine } from '../../../src/engine/saga/journal.js';

const begun = { kind: 'begun', step: 'charge', direction: 'do', attempt: 1 } as const;
const LINES: readonly JournalLine[] = [
  { seq: 1, kind: 'accepted' },
  { seq: 2, ...begun },
  { seq: 3, ...begun, kind: 'ended', outcome: 'done', provider_id: 'ch_1' },
];

test('a mark grows line by line, and is that of the whole', () => {
  expect(markOf(LINES, 0)).toBe(NO_LINES);
  expect(LINES.reduce(markAfter, NO_LINES)).toBe(markOf(LINES, 3));
  expect(markOf(LINES, 2)).not.toBe(markOf(LINES, 3));
});

test('a line has the same mark in whatever order its members come, and through JSON', () => {
  const turned = LINES.map((line) => Object.fromEntries(Object.entries(line).toReversed()));
  const carried = JSON.parse(JSON.stringify(turned)) as readonly JournalLine[];
  expect(markOf(carried, 3)).toBe(markOf(LINES, 3));
});

describe('lines that differ anywhere have another mark', () => {
  test.each<[string, JournalLine]>([
    ['another kind', { seq: 2, kind: 'cancel-accepted', by: 'customer' }],
    ['another step', { seq: 2, ...begun, step: 'flight' }],
    ['another direction', { seq: 2, ...begun, direction: 'undo' }],
    ['another attempt', { seq: 2, ...begun, attempt: 2 }],
  ])('%s', (_what, line) => {
    const others = LINES.with(1, line);
    expect(markOf(others, 3)).not.toBe(markOf(LINES, 3));
    expect(markOf(others, 1)).toBe(markOf(LINES, 1));
  });
});
