import { describe, expect, test } from 'vitest';
import { afterDeath, NO_DEATHS, type AfterDeath } from '../../src/local/restart-policy.js';

/** Follows a part that lives for these seconds, one life after another. */
function follow(livesInSeconds: readonly number[]): AfterDeath[] {
  const decisions: AfterDeath[] = [];
  let record = NO_DEATHS;
  let now = 0;
  for (const life of livesInSeconds) {
    now += life * 1_000;
    const decision = afterDeath(record, { at: now, afterMs: life * 1_000 });
    decisions.push(decision);
    if (decision.kind === 'give-up') break;
    record = decision.record;
    now += decision.delayMs;
  }
  return decisions;
}

const inShort = (decision: AfterDeath) =>
  decision.kind === 'give-up' ? 'give up' : decision.delayMs / 1_000;

describe('a part that dies', () => {
  test.each([
    // how long each life lasts (s)       what follows each death (s until the restart)
    [[100], [0.5]],
    [
      [0, 0, 0, 0, 0],
      [0.5, 1, 2, 4, 'give up'],
    ],
    [
      [10, 10, 10, 10, 10],
      [0.5, 1, 2, 4, 'give up'],
    ],
    [
      [14, 14, 14, 14, 14],
      [0.5, 1, 2, 4, 8],
    ],
    [
      [20, 20, 20, 20, 20, 20, 20],
      [0.5, 1, 2, 4, 8, 10, 10],
    ],
    [
      [0, 0, 60, 0],
      [0.5, 1, 0.5, 1],
    ],
    [
      [0, 0, 0, 59, 0, 0, 0],
      [0.5, 1, 2, 4, 8, 10, 10],
    ],
  ])('living %j s: %j', (lives, expected) => {
    expect(follow(lives).map(inShort)).toEqual(expected);
  });
});
