import { expect, test } from 'vitest';
import { steadyClock } from '../../src/engine/worker/steady-clock.js';

/** What each clock shows at one look, and what is answered, in milliseconds. */
type Look = readonly [monotonic: number, wall: number, answers: number];

const stories: readonly (readonly [string, readonly Look[]])[] = [
  [
    'goes as the monotonic clock does',
    [
      [1_100, 50_100, 1_100],
      [9_000, 58_000, 9_000],
    ],
  ],
  [
    'counts the time in which the machine slept',
    [
      [1_010, 110_010, 61_010],
      [2_010, 111_010, 62_010],
    ],
  ],
  [
    'does not go back when the wall clock is set back',
    [
      [2_000, 41_000, 2_000],
      [3_000, 42_000, 3_000],
    ],
  ],
  [
    'counts a sleep once, and another one too',
    [
      [1_000, 55_000, 6_000],
      [1_500, 55_500, 6_500],
      [2_000, 66_000, 17_000],
    ],
  ],
  ['takes small differences of the clocks for what they are', [[11_000, 60_400, 11_000]]],
];

test.each(stories)('the clock of a worker %s', (_what, looks) => {
  let shown: Look = [1_000, 50_000, 1_000];
  const clock = steadyClock(
    () => shown[0],
    () => shown[1],
  );
  for (const look of looks) {
    shown = look;
    expect(clock()).toBe(look[2]);
  }
});
