import { expect, test } from 'vitest';
import type { Database } from '../../src/engine/database/database.js';
import { StartAtOnce } from '../../src/engine/runs/start-at-once.process.js';
import { TemporalFault } from '../../src/engine/runs/temporal-runs.js';
import { away, fakeTemporal } from '../support/fake-temporal.js';
import { keptLog } from '../support/kept-log.js';

/** An API that has just accepted runs, a Temporal to tell, and what was marked in its outbox. */
function house() {
  const temporal = fakeTemporal();
  const marked: (readonly string[])[] = [];
  const clock = { ms: 0 };
  let left = 0;
  const database = {
    query: async (_text: string, [runs]: [readonly string[]]) => void marked.push(runs),
  } as unknown as Database;
  const starting = new StartAtOnce({
    database,
    temporal,
    log: keptLog(),
    meters: { leftToRelay: () => void (left += 1) },
    monotonicMs: () => clock.ms,
  });
  const start = (...runs: readonly string[]) => {
    for (const run of runs) {
      starting.start({ run, saga: 's', version: 1, account: 'acme', deadlineAt: null });
    }
  };
  return {
    temporal,
    marked,
    clock,
    start,
    left: () => left,
    told: () => [...temporal.asked.keys()],
  };
}

/** Until nothing that is here already has anything left to do. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `run ${n}`);

test('a run is told at once, and its start is marked sent', async () => {
  const { start, told, marked, left } = house();
  start('a');
  await quiet();
  expect([told(), marked, left()]).toEqual([['a'], [['a']], 0]);
});

test('many are told sixteen at a time, in their order', async () => {
  const { start, told, temporal } = house();
  let at = 0;
  let most = 0;
  temporal.before = async () => {
    most = Math.max(most, (at += 1));
    await quiet();
    at -= 1;
  };
  start(...numbered(100));
  while (told().length < 100) await quiet();
  expect(most).toBe(16);
  expect(told()).toEqual(numbered(100));
});

test('what was started while one statement was on its way is marked by the next', async () => {
  const { start, marked } = house();
  start(...numbered(10));
  await quiet();
  expect(marked.flat()).toEqual(numbered(10));
  expect(marked.length).toBeLessThan(10);
});

test('a Temporal that cannot be reached is left alone for a second, and all is the relay’s', async () => {
  const { start, told, temporal, clock, left } = house();
  let calls = 0;
  temporal.before = (call) => {
    calls += 1;
    throw away(call);
  };
  start(...numbered(50));
  await quiet();
  const first = calls;
  expect(first).toBeLessThanOrEqual(16);
  clock.ms = 999;
  start('meanwhile');
  await quiet();
  expect([calls, left(), told()]).toEqual([first, 51, []]);
  temporal.before = () => undefined;
  clock.ms = 1_000;
  start('later');
  await quiet();
  expect([told(), left()]).toEqual([['later'], 51]);
});

test('a run that Temporal refuses is left to the relay, and the next one told', async () => {
  const { start, told, temporal, left } = house();
  temporal.before = (call, run) => {
    if (run === 'a') throw new TemporalFault('other', 'INVALID_ARGUMENT', call, undefined);
  };
  start('a', 'b');
  await quiet();
  expect([told(), left()]).toEqual([['b'], 1]);
});

test('more than a thousand do not wait: the relay has them', async () => {
  const { start, temporal, left } = house();
  temporal.before = () => new Promise(() => undefined);
  start(...numbered(16 + 1_000 + 5));
  await quiet();
  expect(left()).toBe(5);
});
