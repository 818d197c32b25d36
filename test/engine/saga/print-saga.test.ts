import { describe, expect, test } from 'vitest';
import { SagaDefinitionError } from '../../../src/engine/saga/errors.js';
import { printSaga } from '../../../src/engine/saga/print-saga.js';
import { sayMs, sayNames } from '../../../src/engine/saga/say-call.js';
import { box, handOver, label, note, parcel, sideBySide, slot } from './parcels.js';

describe('a definition is printed', () => {
  test('with its steps in order, its defaults written out and its times with units', () => {
    expect(printSaga(sideBySide)).toBe(
      `
send-parcel, version 2, rules 1
deadline: none
an undo no longer holds up those of earlier steps after: 30 s
what is not settled becomes a case after: 15 min

1. label: buyLabel at carrier
   attempts: at most 5, each given up after 10 s
   waits between them: up to 200 ms after the first, doubling to 10 s
   when unknown: retry-with-key: the same key is sent again; when that is used up, findLabel asks the provider
   undo: voidLabel
     attempts: as many as it takes, each given up after 10 s
     waits between them: up to 200 ms after the first, doubling to 5 min
     when unknown: retry-with-key: the same key is sent again; when that is used up, a person is asked

side by side:
  2. box: reserveBox at stock
     attempts: at most 5, each given up after 10 s
     waits between them: up to 200 ms after the first, doubling to 10 s
     when unknown: ask-provider: findBox asks the provider what happened
     undo: freeBox
       attempts: as many as it takes, each given up after 10 s
       waits between them: up to 200 ms after the first, doubling to 5 min
       when unknown: repeat: it is done once more, because twice is harmless (a free box stays free)
  3. slot: holdSlot at depot
     attempts: at most 5, each given up after 10 s
     waits between them: up to 200 ms after the first, doubling to 10 s
     when unknown: ask-person: a person is asked
     nothing to undo: a slot lapses by itself

4. hand-over, the pivot: handOver at carrier
   attempts: at most 5, each given up after 10 s
   waits between them: up to 200 ms after the first, doubling to 10 s
   when unknown: ask-person: a person is asked
   from here on nothing is undone

5. note, after the pivot: sendNote at messages
   attempts: at most 5, each given up after 10 s
   waits between them: up to 200 ms after the first, doubling to 10 s
   when unknown: prefer-miss: it is left, because not at all is better than twice; its result may be missing (nobody waits for it)
`.trim(),
    );
  });

  const undo = { ...box.undo, retry: { attempts: 3 }, timeoutMs: 1_500 };
  test.each<[string, string]>([
    [
      'deadline: 20 min after it is accepted, until',
      printSaga(parcelIn({ deadlineMs: 1_200_000 })),
    ],
    ['those of earlier steps after: 5 s', printSaga(parcelIn({ slowUndoMs: 5_000 }))],
    ['becomes a case after: 2 h', printSaga(parcelIn({ stuckAfterMs: 7_200_000 }))],
    ['attempts: at most 1, each', withLabel({ retry: { attempts: 1 } })],
    [
      'doubling to 1 s; none begins later than 90 s after it',
      withLabel({ retry: { capMs: 1_000, withinMs: 90_000 } }),
    ],
    ['many as it takes; after an unknown outcome at most 3, each given up after 1500 ms', of(undo)],
    ['when stuck: the undos of earlier steps wait', withLabel({ onStuckUndo: 'stop' })],
    ['(they keep a key for a day)', withLabel({ why: 'they keep a key for a day' })],
    [
      'prefer-duplicate: it is done once more, because twice is better than not at all (so)',
      printSaga(parcel().step('note', { ...slot, whenUnknown: 'prefer-duplicate', why: 'so' })),
    ],
  ])('and says: %s', (words, printed) => {
    expect(printed).toContain(words);
  });

  test('without waits where it is tried once, and without a pivot where there is none', () => {
    const once = { ...slot, retry: { attempts: 1 } };
    expect(printSaga(parcel().step('slot', once))).not.toMatch(/waits|pivot,/);
  });

  test('but not before it has a step', () => {
    expect(() => printSaga(parcel())).toThrow(SagaDefinitionError);
  });
});

test.each([
  [1, '1 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [1_500, '1500 ms'],
  [90_000, '90 s'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [86_400_000, '24 h'],
])('%i milliseconds are said as %s', (ms, said) => {
  expect(sayMs(ms)).toBe(said);
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('the names %j are said as "%s"', (names, said) => {
  expect(sayNames(names)).toBe(said);
});

function parcelIn(options: object) {
  return parcel(1, options).pivot('hand-over', handOver).step('note', note);
}

function withLabel(change: object): string {
  return printSaga(parcel().step('label', { ...label, ...change }));
}

function of(undo: object): string {
  return printSaga(parcel().step('box', { ...box, undo }));
}
