import { describe, expect, test } from 'vitest';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import { sagaChanges } from '../../../src/engine/saga/saga-changes.js';
import { box, handOver, inARow, label, note, parcel, sideBySide, slot } from './parcels.js';

const changes = (before: SagaDefinition, after: SagaDefinition) =>
  sagaChanges(before, after).changes;

/** What a changed label step comes to, in a saga of its own. */
const ofLabel = (change: object, before: object = label) =>
  changes(parcel().step('label', before), parcel(2).step('label', { ...label, ...change }));
const ofUndo = (change: object) => ofLabel({ undo: { ...label.undo, ...change } });
const options = (before: object, after: object) =>
  changes(parcel(1, before).step('slot', slot), parcel(2, after).step('slot', slot));
/** The steps named, one after the other, a list among them side by side. */
const steps = (...names: readonly (string | readonly string[])[]) =>
  names.reduce(
    (chain, name) =>
      typeof name === 'string'
        ? chain.step(name, slot)
        : chain.parallel((group) => name.reduce((all, one) => all.step(one, slot), group)),
    parcel(),
  );

describe('between two versions it is said', () => {
  test.each<[string, readonly string[]]>([
    // the saga
    ['The deadline is 5 min instead of none.', options({}, { deadlineMs: 300_000 })],
    ['The deadline is none instead of 5 min.', options({ deadlineMs: 300_000 }, {})],
    [
      'An undo no longer holds up the others after 5 s instead of 30 s.',
      options({}, { slowUndoMs: 5_000 }),
    ],
    [
      'What is not settled becomes a case after 1 h instead of 15 min.',
      options({}, { stuckAfterMs: 3_600_000 }),
    ],
    [
      'The rules are number 2 instead of 1.',
      changes(inARow, { ...inARow, rules: 2 } as unknown as SagaDefinition),
    ],
    // a step forward
    ['label: the provider is post instead of carrier.', ofLabel({ at: 'post' })],
    ['label: it calls printLabel instead of buyLabel.', ofLabel({ run: 'printLabel' })],
    [
      'label: an unknown outcome is met with ask-provider and findLabel instead of ' +
        'retry-with-key and findLabel.',
      ofLabel({ whenUnknown: 'ask-provider' }),
    ],
    [
      'label: an unknown outcome is met with retry-with-key instead of retry-with-key and findLabel.',
      ofLabel({ find: undefined }),
    ],
    ['label: the reason for that is "so" instead of none.', ofLabel({ why: 'so' })],
    [
      'label: the attempts are at most 2 instead of at most 5.',
      ofLabel({ retry: { attempts: 2 } }),
    ],
    ['label: an attempt is given up after 1 min instead of 10 s.', ofLabel({ timeoutMs: 60_000 })],
    [
      'label: the first wait is up to 1 s instead of 200 ms.',
      ofLabel({ retry: { firstDelayMs: 1_000 } }),
    ],
    ['label: no wait is longer than 2 s instead of 10 s.', ofLabel({ retry: { capMs: 2_000 } })],
    [
      'label: the limit from the first attempt to the beginning of another is 1 min instead of none.',
      ofLabel({ retry: { withinMs: 60_000 } }),
    ],
    // its way back
    ['undo of label: it calls eatLabel instead of voidLabel.', ofUndo({ run: 'eatLabel' })],
    [
      'undo of label: an attempt is given up after 5 s instead of 10 s.',
      ofUndo({ timeoutMs: 5_000 }),
    ],
    [
      'undo of label: the attempts are as many as it takes; after an unknown outcome at most 3 ' +
        'instead of as many as it takes.',
      ofUndo({ retry: { attempts: 3 } }),
    ],
    [
      'undo of label: while it is stuck the others stop instead of continue.',
      ofLabel({ onStuckUndo: 'stop' }),
    ],
    [
      'label is not undone ("it is free") instead of undone by voidLabel.',
      ofLabel({ undo: undefined, nothingToUndo: 'it is free' }),
    ],
    [
      'label is undone by voidLabel instead of not undone ("it is free").',
      ofLabel({}, { ...label, undo: undefined, nothingToUndo: 'it is free' }),
    ],
    // which steps, in which order
    ['b is gone.', changes(steps('a', 'b', 'c'), steps('a', 'c'))],
    ['b is new, after a: holdSlot at depot.', changes(steps('a', 'c'), steps('a', 'b', 'c'))],
    ['z is new, first: holdSlot at depot.', changes(steps('a'), steps('z', 'a'))],
    [
      'a has moved: it begins after c; it began first.',
      changes(steps('a', 'b', 'c'), steps('b', 'c', 'a')),
    ],
    [
      'c has moved: it begins first; it began after b.',
      changes(steps('a', 'b', 'c'), steps('c', 'a', 'b')),
    ],
    ['b and c go on side by side now.', changes(steps('a', 'b', 'c'), steps('a', ['b', 'c']))],
    ['b, c and d go on side by side now.', changes(steps(['b', 'c'], 'd'), steps(['b', 'c', 'd']))],
    [
      'b and c no longer all go on side by side.',
      changes(steps('a', ['b', 'c']), steps('a', 'b', 'c')),
    ],
    ['d is gone.', changes(steps(['b', 'c', 'd']), steps(['b', 'c']))],
    [
      'b has moved: it begins after a, and behind its sibling c; it began after a.',
      changes(steps('a', ['b', 'c']), steps('a', ['c', 'b'])),
    ],
  ])('%s', (sentence, said) => {
    expect(said).toEqual([sentence]);
  });

  test('that a step has moved to the other side of the pivot, and is undone no more', () => {
    const before = parcel().step('label', label).step('slot', slot).pivot('hand-over', handOver);
    const { undo: _undo, ...bare } = label;
    const after = parcel(2).step('slot', slot).pivot('hand-over', handOver).step('label', bare);
    expect(changes(before, after)).toEqual([
      'label has moved: it begins after hand-over; it began first.',
      'label is after the pivot instead of before the pivot.',
      'label is never undone instead of undone by voidLabel.',
    ]);
  });

  test('that another step is the pivot', () => {
    const before = parcel().step('slot', slot).pivot('hand-over', handOver);
    const { nothingToUndo: _reason, ...bare } = slot;
    const after = parcel(2).pivot('slot', bare).step('hand-over', handOver);
    expect(changes(before, after)).toEqual([
      'slot is the pivot instead of before the pivot.',
      'slot is never undone instead of not undone ("a slot lapses by itself").',
      'hand-over is after the pivot instead of the pivot.',
    ]);
  });

  test('nothing where only the number is another, or a default is written out', () => {
    const again = { ...label, timeoutMs: 10_000, retry: { attempts: 5 }, onStuckUndo: 'continue' };
    expect(ofLabel({})).toEqual([]);
    expect(ofLabel(again)).toEqual([]);
  });

  test('a step that is only beside another now has not moved', () => {
    expect(changes(inARow, sideBySide)).toEqual(['box and slot go on side by side now.']);
  });
});

describe('an input mapping', () => {
  const light = (at: object) => ({ grams: (at as { input: { grams: number } }).input.grams });
  const lightAgain = (at: object) => {
    const { input } = at as { input: { grams: number } };
    return { grams: input.grams };
  };
  const heavy = (at: object) => ({ grams: light(at).grams + 1 });
  const sent = (version: number, input: unknown) =>
    parcel(version).step('slot', { ...slot, input });
  const samples = [{ input: { grams: 5 } }, { input: { grams: 7 } }];

  test('is compared by its text without samples, which is said', () => {
    const { changes: said, unseen } = sagaChanges(sent(1, light), sent(2, lightAgain));
    expect(said).toEqual(['slot: its input is written otherwise, and may come to something else.']);
    expect(unseen).toEqual([
      'What an act, an undo or a find does, and what its parse accepts, is code elsewhere.',
      'Of an input only its text was compared, not what it calls: samples would show more.',
    ]);
  });

  test('is computed on samples, so that another text with the same results is no change', () => {
    expect(sagaChanges(sent(1, light), sent(2, lightAgain), samples).changes).toEqual([]);
    const { changes: said, unseen } = sagaChanges(sent(1, light), sent(2, heavy), samples);
    expect(said).toEqual([
      'slot: on sample 1 its input is {"grams":6}; it was {"grams":5}.',
      'slot: on sample 2 its input is {"grams":8}; it was {"grams":7}.',
    ]);
    expect(unseen[1]).toBe(
      'Inputs were compared on the samples alone: on other data they may differ.',
    );
  });

  test('is refused a sample that lacks what it may read', () => {
    const [before, after] = [sent(1, light), sent(2, light)].map((saga) => saga.step('box', box));
    if (before === undefined || after === undefined) throw new Error('there are two');
    expect(() => sagaChanges(before, after, samples)).toThrow('the sample has no "slot"');
  });
});

test('two sagas of different names are not compared', () => {
  const other = { ...inARow, name: 'send-letter' };
  expect(() => sagaChanges(inARow, other)).toThrow(
    'send-parcel and send-letter are two sagas, not two versions of one',
  );
  expect(() => sagaChanges(inARow, inARow.step('again', note))).not.toThrow();
});
