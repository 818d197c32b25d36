import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import {
  byAsking,
  byKey,
  byKeyAlone,
  byPerson,
  byRepeating,
  hurriedTrip,
  roundTrip,
  sagaOf,
  trip,
  widerTrip,
} from './small-sagas.js';
import { walk } from './walk/walk.js';

/** A saga that only knows keys, and waits for an undo however long it takes. */
const strict = sagaOf({
  charge: { ...byKeyAlone, undo: byKeyAlone },
  room: { ...byPerson, undo: byPerson, onStuckUndo: 'stop' },
  seat: { ...byAsking, undo: byRepeating },
  settle: { ...byKeyAlone, place: 'pivot' },
  file: { ...byKey, place: 'after-pivot', retry: { attempts: 3 } },
  tell: { whenUnknown: 'prefer-miss', place: 'after-pivot' },
});

/** A saga whose messages go out before anything is certain. */
const chatty = sagaOf({
  hello: { whenUnknown: 'prefer-duplicate' },
  charge: { ...byKey, undo: byAsking, retry: { attempts: 3, withinMs: 60_000 } },
  note: { whenUnknown: 'prefer-miss' },
  sign: { ...byPerson, place: 'pivot' },
});

const sagas: readonly (readonly [string, SagaDefinition])[] = [
  ['the trip', trip],
  ['the trip with a deadline', hurriedTrip],
  ['the trip with two steps side by side', widerTrip],
  ['a saga without a pivot', roundTrip],
  ['a saga that waits for its undos', strict],
  ['a saga that sends messages first', chatty],
];

/** A third of the choices are the good ones, so that a walk gets anywhere. */
const choice = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.nat(199) },
);
const luck = fc.array(choice, { maxLength: 150, size: 'max' });

const everything = [
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

/** Seconds of work, and minutes on a machine with much else to do. */
const timeout = 120_000;

describe('whatever happens', () => {
  test.each(sagas)('%s keeps every promise', { timeout }, (_name, saga) => {
    fc.assert(
      fc.property(luck, (numbers) => {
        expect(walk(saga, numbers).ending).toMatch(/^(completed|undone|cancelled|closed_by_hand)$/);
      }),
      { numRuns: 350 },
    );
  });

  test.each(sagas)('%s completes when nothing goes wrong', (_name, saga) => {
    const { ending, met } = walk(saga, []);
    expect(ending).toBe('completed');
    expect(new Set(met)).toEqual(new Set(['do done', 'ended completed']));
  });

  test('walks come by everything that can happen', { timeout }, () => {
    const some = fc.sample(luck, { seed: 3, numRuns: 120 });
    const met = new Set(sagas.flatMap(([, saga]) => some.flatMap((one) => walk(saga, one).met)));
    const missing = everything.filter((one) => !met.has(one));
    expect(missing).toEqual([]);
  });
});
