import { expect, test } from 'vitest';
import { Answer } from '../../src/engine/http/answer.js';
import {
  RECENT_MS,
  RecentAnswers,
  type Moment,
  type RecentLimits,
} from '../../src/engine/idempotency/recent-answers.js';

const START: Moment = { monotonicMs: 1_000, wallMs: 5_000_000 };
const WEEK = 604_800_000;
const claim = (changes: object = {}) => ({
  account: 'acme',
  key: 'k',
  fingerprint: Buffer.alloc(32, 1),
  ...changes,
});
const answer = (body = '{}') => new Answer(202, Buffer.from(body), {});

function memory(limits?: RecentLimits) {
  let now = START;
  const recent = new RecentAnswers(() => now, limits);
  const pass = (ms: number, wallMs = ms) => {
    now = { monotonicMs: now.monotonicMs + ms, wallMs: now.wallMs + wallMs };
  };
  return { recent, pass };
}

test('what was kept is found by the same request alone', () => {
  const { recent } = memory();
  const kept = answer();
  recent.keep(claim(), kept, START, WEEK);
  expect(recent.find(claim())).toBe(kept);
  expect(recent.find(claim({ account: 'zenith' }))).toBeNull();
  expect(recent.find(claim({ key: 'K' }))).toBeNull();
  expect(recent.find(claim({ fingerprint: Buffer.alloc(32, 2) }))).toBeNull();
  // Another body is the database's matter, and changes nothing here.
  expect(recent.find(claim())).toBe(kept);
});

test.each([
  // what                              left    passes by both clocks           found
  ['a moment', WEEK, 1, 1, true],
  ['all but a minute', WEEK, RECENT_MS - 1, RECENT_MS - 1, true],
  ['a minute', WEEK, RECENT_MS, RECENT_MS, false],
  ['a minute of sleep, which the monotonic clock does not count', WEEK, 1, RECENT_MS, false],
  ['a minute, and the wall clock is put back', WEEK, RECENT_MS, -3_600_000, false],
  ['a moment, and the wall clock is put back', WEEK, 1, -3_600_000, true],
  ['all but the last second of its key', 10_000, 8_999, 8_999, true],
  ['what leaves a second to its key', 10_000, 9_000, 9_000, false],
  ['nothing, of a key with a second left', 1_000, 0, 0, false],
  ['nothing, of a key that is over', -1, 0, 0, false],
])('after %s', (_what, left, monotonicMs, wallMs, found) => {
  const { recent, pass } = memory();
  recent.keep(claim(), answer(), START, left);
  pass(monotonicMs, wallMs);
  expect(recent.find(claim()) !== null).toBe(found);
});

test('its age counts from before the database was asked', () => {
  const { recent, pass } = memory();
  pass(RECENT_MS - 10);
  recent.keep(claim(), answer(), START, WEEK);
  pass(9);
  expect(recent.find(claim())).not.toBeNull();
  pass(1);
  expect(recent.find(claim())).toBeNull();
});

test('when it is cleared, what is on its way from the database is not kept either', () => {
  const { recent, pass } = memory();
  recent.keep(claim(), answer(), START, WEEK);
  pass(10);
  recent.clear();
  expect(recent.find(claim())).toBeNull();
  recent.keep(claim(), answer(), START, WEEK);
  recent.keep(claim(), answer(), recent.now(), WEEK);
  expect(recent.find(claim())).toBeNull();
  pass(1);
  recent.keep(claim(), answer(), recent.now(), WEEK);
  expect(recent.find(claim())).not.toBeNull();
});

test('of too many the first are forgotten', () => {
  const { recent } = memory({ count: 3, bytes: 1e6 });
  for (const key of ['a', 'b', 'c', 'a', 'd']) recent.keep(claim({ key }), answer(), START, WEEK);
  const found = ['a', 'b', 'c', 'd'].filter((key) => recent.find(claim({ key })) !== null);
  expect(found).toEqual(['a', 'c', 'd']);
});

test('of too many bytes the first are forgotten, and what is too large is not kept', () => {
  const { recent } = memory({ count: 100, bytes: 10_000 });
  const large = answer('x'.repeat(4_000));
  for (const key of ['a', 'b', 'c']) recent.keep(claim({ key }), large, START, WEEK);
  recent.keep(claim({ key: 'd' }), answer('x'.repeat(10_000)), START, WEEK);
  const found = ['a', 'b', 'c', 'd'].filter((key) => recent.find(claim({ key })) !== null);
  expect(found).toEqual(['c']);
});

test('a million answers leave as many as it may have', () => {
  const { recent } = memory({ count: 10, bytes: 1e9 });
  for (let n = 0; n < 100_000; n += 1) recent.keep(claim({ key: `${n}` }), answer(), START, WEEK);
  expect(recent.find(claim({ key: '99990' }))).not.toBeNull();
  expect(recent.find(claim({ key: '99989' }))).toBeNull();
});

test('what is forgotten as a whole is not found', () => {
  const { recent } = memory();
  recent.keep(claim(), answer(), START, WEEK);
  recent.clear();
  expect(recent.find(claim())).toBeNull();
});
