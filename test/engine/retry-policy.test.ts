import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RetryPolicy } from '../../src/engine/saga/definition.js';
import {
  FORWARD_RETRY,
  LONGEST_RETRY_AFTER_MS,
  UNDO_RETRY,
  backoffMs,
  waitMs,
} from '../../src/engine/saga/retry-policy.js';

// A red run can be repeated, and a green one stays green: another seed tries other values.
fc.configureGlobal({ seed: 20_261_130 });

const least = () => 0;
const half = () => 0.5;
/** The greatest number below 1: the longest wait, and so a backoff without jitter. */
const most = () => 1 - 2 ** -53;

describe('backoff with full jitter', () => {
  test.each([
    // attempt, policy, least, half, most
    [1, FORWARD_RETRY, 0, 100, 200],
    [2, FORWARD_RETRY, 0, 200, 400],
    [3, FORWARD_RETRY, 0, 400, 800],
    [6, FORWARD_RETRY, 0, 3_200, 6_400],
    [7, FORWARD_RETRY, 0, 5_000, 10_000],
    [10_000, FORWARD_RETRY, 0, 5_000, 10_000],
    [11, UNDO_RETRY, 0, 102_400, 204_800],
    [12, UNDO_RETRY, 0, 150_000, 300_000],
    [Number.MAX_SAFE_INTEGER, UNDO_RETRY, 0, 150_000, 300_000],
    [1, policy(1, 1), 0, 1, 1],
    [10_000, policy(1, 2 ** 31 - 1), 0, 2 ** 30, 2 ** 31 - 1],
  ])('after attempt %d of %o: %d, %d, %d ms', (attempt, how, shortest, middle, longest) => {
    expect(backoffMs(attempt, how, least)).toBe(shortest);
    expect(backoffMs(attempt, how, half)).toBe(middle);
    expect(backoffMs(attempt, how, most)).toBe(longest);
  });

  test('is always a whole number from 0 to the doubled delay or the cap, whichever is less', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const time = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), time, time, chance, (attempt, a, b, at) => {
        const how = policy(Math.min(a, b), Math.max(a, b));
        const wait = backoffMs(attempt, how, () => at);
        expect(Number.isSafeInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(
          Math.min(how.capMs, how.firstDelayMs * 2 ** (attempt - 1)),
        );
      }),
    );
  });

  test('is spread evenly: every tenth of the range gets its tenth', () => {
    const random = seeded(7);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 10_000; draw += 1) {
      const tenth = Math.floor(backoffMs(1, policy(999, 999), random) / 100);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1_150);
  });
});

describe('what a provider asks to wait', () => {
  test.each([
    // Retry-After, least, most (after attempt 2: own backoff 0 to 400)
    [undefined, 0, 400],
    [0, 0, 400],
    [-1, 0, 400],
    [NaN, 0, 400],
    [1, 1, 401],
    [2_000, 2_000, 2_400],
    [1.5, 2, 402],
    [30_000, 30_000, 30_400],
    [LONGEST_RETRY_AFTER_MS, LONGEST_RETRY_AFTER_MS, LONGEST_RETRY_AFTER_MS + 400],
    [1e12, LONGEST_RETRY_AFTER_MS, LONGEST_RETRY_AFTER_MS + 400],
    [Infinity, LONGEST_RETRY_AFTER_MS, LONGEST_RETRY_AFTER_MS + 400],
  ])('%d ms: waits %d to %d ms', (afterMs, shortest, longest) => {
    expect(waitMs(2, FORWARD_RETRY, afterMs, least)).toBe(shortest);
    expect(waitMs(2, FORWARD_RETRY, afterMs, most)).toBe(longest);
  });
});

describe('a thousand clients come at once; the server answers 50 calls in each 100 ms', () => {
  test('without jitter they come back together: 10,500 calls, 132.7 s', () => {
    expect(stampede(most)).toEqual({ calls: 10_500, lastMs: 132_700 });
  });

  test('with full jitter they spread: about 5,030 calls in 4 to 11 s, over a hundred seeds', () => {
    const runs = Array.from({ length: 100 }, (_, seed) => stampede(seeded(seed)));
    for (const { calls, lastMs } of runs) {
      expect(calls).toBeGreaterThan(4_950);
      expect(calls).toBeLessThan(5_100);
      expect(lastMs).toBeGreaterThan(4_000);
      expect(lastMs).toBeLessThan(11_000);
    }
    const average = runs.reduce((sum, { calls }) => sum + calls, 0) / runs.length;
    expect(average).toBeGreaterThan(5_005);
    expect(average).toBeLessThan(5_035);
  });
});

function policy(firstDelayMs: number, capMs: number): RetryPolicy {
  return { attempts: null, firstDelayMs, capMs, withinMs: null };
}

/** Every client calls, and calls again by our policy, until it is answered. */
function stampede(random: () => number): { calls: number; lastMs: number } {
  const how = policy(100, 10_000);
  /** By the millisecond at which they call: which attempt it is of each client. */
  const calling = new Map([[0, Array.from({ length: 1_000 }, () => 1)]]);
  let unanswered = 1_000;
  let calls = 0;
  let room = 0;
  let lastMs = 0;
  for (let nowMs = 0; unanswered > 0; nowMs += 1) {
    room = nowMs % 100 === 0 ? 50 : room;
    // A client that draws no wait calls again in this millisecond: the list grows as it is read.
    for (const attempt of calling.get(nowMs) ?? []) {
      calls += 1;
      if (room > 0) {
        room -= 1;
        unanswered -= 1;
        lastMs = nowMs;
        continue;
      }
      const againMs = nowMs + backoffMs(attempt, how, random);
      const others = calling.get(againMs) ?? [];
      others.push(attempt + 1);
      calling.set(againMs, others);
    }
  }
  return { calls, lastMs };
}

/** Mulberry32 (T. Ettinger): a small generator with a seed, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
