import { describe, expect, test } from 'vitest';
import type { AnyAct } from '../../src/engine/saga/act.js';
import { done } from '../../src/engine/saga/outcome.js';
import { SagaDefinitionError } from '../../src/engine/saga/errors.js';
import { Sagas, SagaSetInvalid } from '../../src/engine/sagas.js';
import {
  box,
  handOver,
  inARow,
  label,
  note,
  parcel,
  slot,
  type UntypedGroup,
} from './saga/parcels.js';

/** A group as somebody without types sees it. */
interface AnyGroup extends UntypedGroup {
  step(name: unknown, spec: unknown): AnyGroup;
  pivot(name: string, spec: unknown): UntypedGroup;
  parallel(build: unknown): UntypedGroup;
}
const inGroup = (build: (group: AnyGroup) => unknown) => () =>
  parcel().parallel((group) => build(group as AnyGroup));
const withLabel = (change: object) => () => parcel().step('label', { ...label, ...change });
const options =
  'run, whenUnknown, find, why, retry, timeoutMs, at, input, undo, nothingToUndo, onStuckUndo';

describe('a definition is refused with a whole message: where, what, and what to do', () => {
  test.each<[string, () => unknown]>([
    // groups
    [
      'send-parcel › hand-over: the pivot stands alone: add it behind the group',
      inGroup((group) => group.step('box', box).step('slot', slot).pivot('hand-over', handOver)),
    ],
    [
      'send-parcel › parallel: a group has no group in it: add its steps to the outer one, or behind it',
      inGroup((group) => group.step('box', box).parallel((inner: unknown) => inner)),
    ],
    [
      'send-parcel › parallel: one step alone is no group: add the steps that go on side by side, two or more',
      inGroup((group) => group.step('box', box)),
    ],
    [
      'send-parcel › box: another step has this name, and the name makes the key',
      () =>
        parcel()
          .parallel((group) => group.step('box', box).step('slot', slot))
          .parallel((group) => group.step('label', label).step('box', box)),
    ],
    [
      'send-parcel › parallel: stands after the pivot, where one step follows the other',
      () => inARow.parallel((group) => group.step('a', note).step('b', note)),
    ],
    [
      'send-parcel › slot: unknown option "retires", did you mean "retry"?',
      inGroup((group) => group.step('box', box).step('slot', { ...slot, retires: 3 })),
    ],
    // times that contradict each other
    [
      'send-parcel: slowUndoMs 60000 is above stuckAfterMs 30000: an undo that is a case already holds up nothing',
      () => parcel(1, { slowUndoMs: 60_000, stuckAfterMs: 30_000 }),
    ],
    [
      'send-parcel: slowUndoMs 30000 (the default) is above stuckAfterMs 5000: an undo that is a case already holds up nothing',
      () => parcel(1, { stuckAfterMs: 5_000 }),
    ],
    [
      'send-parcel: slowUndoMs 900001 is above stuckAfterMs 900000 (the default): an undo that is a case already holds up nothing',
      () => parcel(1, { slowUndoMs: 900_001 }),
    ],
    [
      'send-parcel › label: timeoutMs 5001 is above deadlineMs 5000 of the saga: forward work ends before one attempt has to',
      () => parcel(1, { deadlineMs: 5_000 }).step('label', { ...label, timeoutMs: 5_001 }),
    ],
    // words of other engines
    [
      'send-parcel › label: unknown option "compensate", did you mean "undo"?',
      withLabel({ compensate: 1 }),
    ],
    [
      'send-parcel › label: unknown option "provider", did you mean "at"?',
      withLabel({ provider: 1 }),
    ],
    [
      `send-parcel › label: unknown option "colour"; known here: ${options}`,
      withLabel({ colour: 'red' }),
    ],
    [
      'send-parcel › label › undo: unknown option "compensation"; known here: run, whenUnknown, find, why, retry, timeoutMs',
      withLabel({ undo: { ...label.undo, compensation: 1 } }),
    ],
    [
      'send-parcel › label: unknown option "toString"; known here: ' + options,
      withLabel({ toString: 1 }),
    ],
  ])('%s', (message, definition) => {
    expect(definition).toThrow(SagaDefinitionError);
    expect(definition).toThrow(new RegExp(`^${literal(message)}$`));
  });
});

describe('what only looks contradictory', () => {
  test('is well: the same times, and a pivot or an undo that may outlive the deadline', () => {
    const slow = { timeoutMs: 60_000 };
    const saga = parcel(1, { deadlineMs: 5_000, slowUndoMs: 7, stuckAfterMs: 7 })
      .step('label', { ...label, timeoutMs: 5_000, undo: { ...label.undo, ...slow } })
      .pivot('hand-over', { ...handOver, ...slow })
      .step('note', { ...note, ...slow });
    expect(saga.steps.map((step) => step.forward.timeoutMs)).toEqual([5_000, 60_000, 60_000]);
  });
});

describe('sagas, acts and providers that do not fit together are refused at the start', () => {
  const act = (provider: string): AnyAct => ({
    kind: 'act',
    provider,
    parse: (value) => value,
    perform: async () => done(null),
  });
  const acts = {
    holdSlot: act('depot'),
    findSlot: { kind: 'find', of: 'holdSlot', perform: async () => ({ kind: 'not-there' }) },
  } as const satisfies Record<string, AnyAct>;
  const providers = { depot: { keyWindowMs: null } };
  const start = (change: object) => () =>
    new Sagas({ sagas: [parcel().step('slot', { ...slot, ...change })], acts, providers });

  test.each([
    ['there is no act holdSlots, did you mean holdSlot?', { run: 'holdSlots' }],
    ['there is no act sendFlowers', { run: 'sendFlowers' }],
    [
      'there is no find findSlit, did you mean findSlot?',
      { whenUnknown: 'ask-provider', find: 'findSlit' },
    ],
    ['there is no provider dep', { at: 'dep' }],
  ])('send-parcel version 1 › slot: %s', (problem, change) => {
    expect(start(change)).toThrow(SagaSetInvalid);
    expect(start(change)).toThrow(
      new RegExp(`^send-parcel version 1 › slot: ${literal(problem)}$`),
    );
  });

  test('and those that do are taken', () => {
    expect(start({})).not.toThrow();
  });
});

/** A pattern that is met by just this text. */
function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
