import { describe, expectTypeOf, test } from 'vitest';
import type { Act, FindOf, UndoOf } from '../../src/engine/saga/act.js';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';

interface Parcel {
  readonly grams: number;
}
/** All providers answer this shape, so only names can tell their acts apart. */
interface Answer {
  readonly id: string;
}
interface Acts {
  buyLabel: Act<'carrier', { grams: number }, Answer>;
  voidLabel: UndoOf<'buyLabel', { grams: number }, Answer, null>;
  findLabel: FindOf<'buyLabel', Answer>;
  reserveBox: Act<'stock', { grams: number }, Answer>;
  freeBox: UndoOf<'reserveBox', { grams: number }, Answer, null>;
  findBox: FindOf<'reserveBox', Answer>;
  handOver: Act<'carrier', { label: string }, Answer>;
  findHandOver: FindOf<'handOver', Answer>;
}
const s = defineSaga<Parcel, Acts>('send-parcel', { version: 1 });
const input = ({ input }: { input: Parcel }) => ({ grams: input.grams });
const undo = { run: 'freeBox', whenUnknown: 'ask-person' } as const;
const bare = { run: 'reserveBox', at: 'stock', input } as const;
const box = { ...bare, whenUnknown: 'ask-person', undo } as const;
const label = {
  run: 'buyLabel',
  at: 'carrier',
  input,
  whenUnknown: 'ask-person',
  undo: { run: 'voidLabel', whenUnknown: 'ask-person' },
} as const;
const pair = s.parallel((group) => group.step('box', box).step('label', label));
const over = { run: 'handOver', at: 'carrier', whenUnknown: 'ask-person' } as const;
const sent = pair.pivot('hand-over', { ...over, input: (at) => ({ label: at.label.id }) });

test('a group may follow a group, and reads what the first came to', () => {
  const twice = pair.parallel((group) =>
    group.step('second-box', box).step('hand-over', {
      ...over,
      nothingToUndo: 'it is only told',
      input: (at) => {
        expectTypeOf(at.label).toEqualTypeOf<Answer>();
        return { label: at.label.id };
      },
    }),
  );
  expectTypeOf(twice).toExtend<SagaDefinition>();
});

describe('what is refused: groups', () => {
  test('a group in a group, and one behind the pivot', () => {
    // @ts-expect-error a group has no group in it
    s.parallel((group) => group.step('box', box).parallel((inner) => inner));
    // @ts-expect-error after the pivot one step follows the other
    sent.parallel((group) => group.step('a', box).step('b', box));
  });

  test('a name that another group has', () => {
    pair.parallel((group) =>
      group
        .step('second-label', label)
        // @ts-expect-error taken in the group before
        .step('box', box),
    );
    // @ts-expect-error taken in the group before
    pair.step('label', label);
  });

  test('what is refused outside: no answer, an undo of another act, options that do not exist', () => {
    s.parallel((group) =>
      group
        .step('label', label)
        // @ts-expect-error no whenUnknown
        .step('box', { ...bare, undo }),
    );
    s.parallel((group) =>
      group
        .step('label', label)
        // @ts-expect-error undoes another act
        .step('box', { ...box, undo: label.undo }),
    );
    s.parallel((group) =>
      group
        .step('label', label)
        // @ts-expect-error retires
        .step('box', { ...box, retires: 3 }),
    );
  });

  test('what is no group at all', () => {
    // @ts-expect-error not a function
    s.parallel([box, label]);
    // @ts-expect-error nothing is answered
    s.parallel((group) => {
      group.step('box', box).step('label', label);
    });
  });
});

describe('what is refused: a find that is missing, of another act, or never asked', () => {
  test('at the pivot, after it and in an undo', () => {
    const ask = { whenUnknown: 'ask-provider' } as const;
    // @ts-expect-error nothing to ask with
    s.pivot('box', { ...bare, ...ask });
    // @ts-expect-error nothing to ask with
    sent.step('box-2', { ...bare, ...ask });
    // @ts-expect-error nothing to ask with, and freeBox has no find at all
    s.step('box', { ...box, undo: { run: 'freeBox', ...ask } });
    // @ts-expect-error finds another act
    s.pivot('box', { ...bare, ...ask, find: 'findLabel' });
    // @ts-expect-error finds another act
    sent.step('box-2', { ...bare, ...ask, find: 'findHandOver' });
    // @ts-expect-error nobody asks where it is simply repeated
    s.step('box', { ...box, undo: { ...undo, whenUnknown: 'repeat', why: 'x', find: 'findBox' } });
  });
});

describe('what is refused: values that an option does not take', () => {
  test('in a saga, a step, its retry and its undo', () => {
    // @ts-expect-error a number, from 1
    defineSaga<Parcel, Acts>('send-parcel', { version: '1' });
    // @ts-expect-error milliseconds are a number
    defineSaga<Parcel, Acts>('send-parcel', { version: 1, deadlineMs: '15m' });
    // @ts-expect-error continue or stop
    s.step('box', { ...box, onStuckUndo: 'halt' });
    // @ts-expect-error a reason is a text
    s.step('box', { ...bare, whenUnknown: 'ask-person', nothingToUndo: true });
    // @ts-expect-error milliseconds are a number
    s.step('box', { ...box, timeoutMs: '5s' });
    // @ts-expect-error an object, not a number of attempts
    s.step('box', { ...box, retry: 3 });
    // @ts-expect-error the name of the undo is not enough
    s.step('box', { ...box, undo: 'freeBox' });
    // @ts-expect-error the provider's answer is not a promise of one
    s.step('box', { ...box, input: async () => ({ grams: 1 }) });
  });
});
