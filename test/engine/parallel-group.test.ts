import { describe, expect, test } from 'vitest';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import { SagaDefinitionError } from '../../src/engine/saga/errors.js';

/** The chain as somebody without types sees it. */
interface Untyped extends SagaDefinition {
  step(name: unknown, spec: unknown): Untyped;
  pivot(name: unknown, spec: unknown): Untyped;
  parallel(build: unknown): Untyped;
}
interface UntypedGroup {
  step(name: unknown, spec: unknown): UntypedGroup;
}
const define = defineSaga as unknown as (name: unknown, options: unknown) => Untyped;
const begin = () => define('book-trip', { version: 1 });

const input = () => ({});
const bare = { run: 'holdSeat', at: 'flights', whenUnknown: 'ask-person', input };
const step = { ...bare, nothingToUndo: 'a hold lapses' };
const inGroup = (build: (group: UntypedGroup) => unknown) => () => begin().parallel(build);

/** A group of another saga. */
function strayGroup(): unknown {
  let stray: unknown;
  begin().parallel((group: UntypedGroup) => {
    stray = group.step('a', step).step('b', step);
    return stray;
  });
  return stray;
}

describe('a parallel group that is refused', () => {
  test.each<[string, () => unknown]>([
    ['parallel: must be given a function that adds steps', () => begin().parallel([step])],
    ['parallel: the function must answer the group it was given', inGroup(() => undefined)],
    ['parallel: the function must answer the group it was given', inGroup(strayGroup)],
    ['parallel: no step is no group: add the steps', inGroup((group) => group)],
    ['parallel: one step alone is no group', inGroup((group) => group.step('seat', step))],
    [
      'seat: another step has this name',
      inGroup((group) => group.step('seat', step).step('seat', step)),
    ],
    [
      'room: stands before the pivot: say "undo", or "nothingToUndo"',
      inGroup((group) => group.step('seat', step).step('room', bare)),
    ],
    [
      'parallel: stands after the pivot, where one step follows the other',
      () =>
        begin()
          .pivot('ticket', bare)
          .parallel((group: UntypedGroup) => group),
    ],
  ])('book-trip › %s', (message, definition) => {
    expect(definition).toThrow(SagaDefinitionError);
    expect(definition).toThrow(`book-trip › ${message}`);
  });
});

describe('a parallel group', () => {
  const saga = begin()
    .step('hold', step)
    .parallel((group: UntypedGroup) => group.step('flight', step).step('hotel', step))
    .step('extra', step)
    .pivot('ticket', bare);

  test('has its steps in one group, and the next step is in another', () => {
    expect(saga.steps.map(({ name, place, group }) => [name, place, group])).toEqual([
      ['hold', 'before-pivot', 0],
      ['flight', 'before-pivot', 1],
      ['hotel', 'before-pivot', 1],
      ['extra', 'before-pivot', 3],
      ['ticket', 'pivot', 4],
    ]);
  });

  test('is another one with each step, so a half one can be kept and used twice', () => {
    const first = begin();
    const sides = ['left', 'right'].map((side) =>
      first.parallel((group: UntypedGroup) => group.step('seat', step).step(side, step)),
    );
    expect(sides.map(({ steps }) => steps.map(({ name }) => name))).toEqual([
      ['seat', 'left'],
      ['seat', 'right'],
    ]);
    expect(first.steps).toEqual([]);
  });
});
