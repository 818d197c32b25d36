import { describe, expect, test } from 'vitest';
import type { JournalLine } from '../../../src/engine/saga/journal.js';
import type { Played } from '../../../src/engine/testing/played.js';
import { wander } from '../../../src/engine/testing/wander.js';
import { exploredSagas, WALKS } from './explored-sagas.js';

/** Seconds of work, and minutes on a machine with much else to do. */
const timeout = 120_000;

describe('random runs with any number of faults', () => {
  test.each(exploredSagas)('%s keeps every promise', { timeout }, (_name, saga) => {
    for (let seed = 0; seed < WALKS; seed += 1) {
      const { failure } = wander(saga, { seed });
      expect(failure, `seed ${seed}`).toBe(null);
    }
  });

  test('come by everything that can happen', { timeout }, () => {
    const met = new Set<string>();
    for (const [, saga] of exploredSagas) {
      for (let seed = 0; seed < 2 * WALKS; seed += 1) {
        for (const word of wordsOf(wander(saga, { seed }).played)) met.add(word);
      }
    }
    expect(EVERYTHING.filter((word) => !met.has(word))).toEqual([]);
  });

  test('the same seed gives the same run, another seed another one', () => {
    const [, saga] = exploredSagas[0] ?? expect.fail('there are sagas');
    const run = (seed: number) => JSON.stringify(wander(saga, { seed }).played.written);
    expect(run(7)).toBe(run(7));
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(run)).size).toBeGreaterThan(4);
  });
});

const EVERYTHING = [
  ...['completed', 'undone', 'cancelled', 'closed_by_hand'].map((ending) => `ended ${ending}`),
  ...['cancel', 'refused', 'deadline', 'person'].map((because) => `turned ${because}`),
  ...['accepted', 'unchanged', 'pivot-in-progress', 'past-pivot', 'already-ended'].map(
    (answer) => `cancel ${answer}`,
  ),
  ...['happened', 'did-not-happen', 'undone-by-hand', 'left-as-is'].map((one) => `verdict ${one}`),
  ...['do', 'undo'].flatMap((direction) =>
    ['done', 'refused', 'again', 'unknown', 'found', 'not-there', 'cannot-tell', 'differs'].map(
      (word) => `${direction} ${word}`,
    ),
  ),
  ...['unknown-outcome', 'undo-stuck', 'forward-stuck', 'found-differs', 'nothing-to-undo'].map(
    (problem) => `case ${problem}`,
  ),
  ...['case key-window-passed', 'case contradiction', 'case-settled', 'key-expired'],
];

function wordsOf({ written, cancels }: Played): readonly string[] {
  return [
    ...written.map(({ line }) => wordOf(line)),
    ...cancels.map(({ answer }) => `cancel ${answer}`),
  ];
}

function wordOf(line: JournalLine): string {
  switch (line.kind) {
    case 'finished':
      return `ended ${line.as}`;
    case 'unwinding':
      return `turned ${line.because}`;
    case 'ended':
      return `${line.direction} ${line.outcome}`;
    case 'asked':
      return `${line.direction} ${line.finding}`;
    case 'verdict':
      return `verdict ${line.verdict}`;
    case 'case-opened':
      return `case ${line.problem}`;
    case 'accepted':
    case 'begun':
    case 'cancel-accepted':
    case 'cancel-refused':
    case 'case-settled':
    case 'key-expired':
    case 'retried':
    case 'abandoned':
      return line.kind;
  }
}
