import { expect, test } from 'vitest';
import {
  rateLimitHeaders,
  wholeSeconds,
} from '../../../src/engine/admission/rate-limit-headers.js';
import { RequestRates, type Lease } from '../../../src/engine/admission/request-rates.js';

/** A window that is leased as scripted, by a clock that the test moves. */
function scripted(...leases: readonly Lease[]) {
  const waiting = [...leases];
  const clock = { ms: 1_000 };
  let asked = 0;
  const rates = new RequestRates(
    () => {
      asked += 1;
      const next = waiting.shift();
      return next === undefined ? Promise.reject(new Error('away')) : Promise.resolve(next);
    },
    () => clock.ms,
  );
  return { rates, clock, asked: () => asked };
}

const lease = (granted: number, remaining: number, endsInMs = 10_000): Lease => ({
  granted,
  remaining,
  quota: 100,
  endsInMs,
});

test('one lease is for many requests, and who asks meanwhile waits for it', async () => {
  const { rates, asked } = scripted(lease(3, 5), lease(1, 0));
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => rates.take('acme', 'reads')));
  expect(all.map(({ isGranted }) => isGranted)).toEqual([true, true, true, true, false]);
  expect(all.map(({ left }) => left)).toEqual([7, 6, 5, 0, 0]);
  expect(asked()).toBe(2);
});

test('what was leased ends with its window', async () => {
  const { rates, clock, asked } = scripted(lease(50, 50, 2_000), lease(1, 9));
  await rates.take('acme', 'reads');
  clock.ms += 1_999;
  expect(await rates.take('acme', 'reads')).toMatchObject({ left: 98, endsInMs: 1 });
  clock.ms += 1;
  expect(await rates.take('acme', 'reads')).toMatchObject({ left: 9, endsInMs: 10_000 });
  expect(asked()).toBe(2);
});

test('a lease that took its time ends no later than the database said', async () => {
  const clock = { ms: 0 };
  const rates = new RequestRates(
    () => {
      clock.ms += 700;
      return Promise.resolve(lease(5, 5, 1_000));
    },
    () => clock.ms,
  );
  expect(await rates.take('acme', 'writes')).toMatchObject({ endsInMs: 300 });
});

test('without a database nobody is let in, and the next one asks again', async () => {
  const { rates, asked } = scripted();
  await expect(rates.take('acme', 'reads')).rejects.toThrow('away');
  await expect(rates.take('acme', 'reads')).rejects.toThrow('away');
  expect(asked()).toBe(2);
});

test.each([
  [6_001, 7],
  [7_000, 7],
  [1, 1],
  [0, 1],
])('%i ms are told as %i s', (ms, seconds) => {
  expect(wholeSeconds(ms)).toBe(seconds);
});

test('the headers are structured fields, with a quoted name', () => {
  const taken = { isGranted: true, quota: 100, left: 41, endsInMs: 6_400 };
  expect(rateLimitHeaders('reads', taken, 10)).toEqual({
    'RateLimit-Policy': '"reads";q=100;w=10',
    RateLimit: '"reads";r=41;t=7',
  });
});
