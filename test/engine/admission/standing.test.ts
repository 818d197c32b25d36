import { expect, test } from 'vitest';
import { Standing } from '../../../src/engine/admission/standing.js';

/** Looks at these times, with what each found; whether it stands at the last of them. */
function after(...looks: readonly (readonly [atMs: number, isSo: boolean])[]): boolean {
  const standing = new Standing();
  for (const [atMs, isSo] of looks) standing.look(isSo, atMs);
  return standing.stands(looks.at(-1)?.[0] ?? 0);
}

test.each([
  ['nothing', false, []],
  ['a moment', false, [[0, true]]],
  [
    'one long pause',
    false,
    [
      [0, true],
      [9_000, true],
    ],
  ],
  [
    'two seconds of it',
    true,
    [
      [0, true],
      [500, true],
      [2_000, true],
    ],
  ],
  [
    'less than that',
    false,
    [
      [0, true],
      [400, true],
      [1_999, true],
    ],
  ],
  [
    'one good look in between',
    false,
    [
      [0, true],
      [500, true],
      [1_900, false],
      [2_000, true],
    ],
  ],
  [
    'its end',
    false,
    [
      [0, true],
      [500, true],
      [2_000, true],
      [2_050, false],
    ],
  ],
] as const)('%s: it stands: %s', (_what, stands, looks) => {
  expect(after(...looks)).toBe(stands);
});
