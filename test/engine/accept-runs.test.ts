import { expect, test } from 'vitest';
import { decideAcceptance, type Ground } from '../../src/engine/runs/accept-runs.js';

const NOW = new Date('2030-01-01T00:00:00.000Z');

function decide(
  orders: readonly (readonly [id: string, reference: string | null])[],
  ground: Partial<Ground> = {},
) {
  const on = { account: 'acme', now: NOW, takenIds: new Set<string>(), living: new Map() };
  const asked = orders.map(([id, reference]) => ({ order: { id, reference, input: null } }));
  return decideAcceptance({ ...on, ...ground }, asked, (like) => `${like} anew`).map((one) =>
    'run' in one ? one.run.id : `in use by ${one.inUseBy}`,
  );
}

test.each<[string, Parameters<typeof decide>, readonly string[]]>([
  [
    'each is accepted',
    [
      [
        ['a', null],
        ['b', 'cart'],
      ],
    ],
    ['a', 'b'],
  ],
  [
    'no reference is nobody’s',
    [
      [
        ['a', null],
        ['b', null],
      ],
    ],
    ['a', 'b'],
  ],
  [
    'a living run keeps its reference',
    [[['a', 'cart']], { living: new Map([['cart', 'z']]) }],
    ['in use by z'],
  ],
  [
    'of two under one reference the first has it',
    [
      [
        ['a', 'cart'],
        ['b', 'cart'],
        ['c', 'x'],
      ],
    ],
    ['a', 'in use by a', 'c'],
  ],
  [
    'an id that is taken is not used',
    [
      [
        ['a', 'cart'],
        ['b', 'cart'],
      ],
      { takenIds: new Set(['a']) },
    ],
    ['a anew', 'in use by a anew'],
  ],
])('%s', (_, given, expected) => {
  expect(decide(...given)).toEqual(expected);
});
