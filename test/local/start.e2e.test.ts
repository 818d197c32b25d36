import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ownFolder } from '../support/owned-process.js';
import { newProcessOf, PARTS, partsOf, remains, spawnStart, startCli } from './start-cli.js';
import type { LocalStartProcess } from './start-cli.js';

let folder: string;
let port: number;
let start: LocalStartProcess;
let booking: string;

beforeAll(async () => {
  folder = join(ownFolder('start'), 'data');
  port = await freePort();
  start = await startCli(folder, port);
});
afterAll(() => start.stop());

const TRIP = {
  traveller: { name: 'Ada Byron', email: 'ada@example.com' },
  flight: { offer: 'BLR-LHR-0417' },
  hotel: { offer: 'H-204', nights: 2 },
  payment: { amount: 240_000, currency: 'INR', source: 'tok_visa' },
};

async function call(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: string }> {
  const response = await fetch(`${start.url}${path}`, init);
  return { status: response.status, body: await response.text() };
}

const authorized = () => ({ authorization: `Bearer ${start.customerKey}` });

async function bookTrip(key: string): Promise<string> {
  const { status, body } = await call('/v1/bookings', {
    method: 'POST',
    headers: {
      ...authorized(),
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    body: JSON.stringify(TRIP),
  });
  expect({ status, body }).toMatchObject({ status: 202 });
  return (JSON.parse(body) as { id: string }).id;
}

const statusOf = async (id: string): Promise<string | undefined> => {
  const answer = await call(`/v1/bookings/${id}`, { headers: authorized() }).catch(() => undefined);
  return answer?.status === 200
    ? (JSON.parse(answer.body) as { status: string }).status
    : undefined;
};

const becomesConfirmed = (id: string) =>
  pollUntil(async () => (await statusOf(id)) === 'confirmed', { limitMs: 60_000, everyMs: 250 });

test('one command brings all parts, and its card tells how to book a trip', async () => {
  expect(start.output()).toContain(`curl -s ${start.url}/v1/bookings`);
  expect([...partsOf(folder).keys()].toSorted()).toEqual(PARTS.toSorted());
  booking = await bookTrip('first-trip');
  expect(await becomesConfirmed(booking)).toBe(true);
});

test('each part of ours is found by its name with ps, in a group of its own', () => {
  for (const name of ['api', 'worker', 'relay', 'sandbox']) {
    const pid = String(partsOf(folder).get(name)?.pid);
    const ps = spawnSync('ps', ['-o', 'pgid=,args=', '-p', pid], { encoding: 'utf8' });
    expect(ps.stdout.trim()).toMatch(new RegExp(`^${pid} .*recourse-${name}`));
  }
});

test('what opens the data can be read by their owner alone', () => {
  for (const file of ['dev-keys.json', 'secrets.json']) {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
});

describe('a second start', () => {
  test.each([
    ['with the same data', () => folder, /^recourse: Recourse already runs with the data in /m],
    [
      'beside it on the same port',
      () => join(ownFolder('second'), 'data'),
      /^recourse: port \d+ of 127\.0\.0\.1, .* is in use: .* PORT=\d+ npm start$/m,
    ],
  ])('%s ends with one clear line', async (_what, data, line) => {
    const second = await spawnStart(data(), port);
    expect(await second.exit).toMatchObject({ code: 1 });
    expect(second.output()).toMatch(line);
    expect(second.output()).not.toContain('    at ');
    expect(await call('/healthz')).toMatchObject({ status: 200 });
  });
});

test.each(PARTS)('%s comes back after kill -9', async (name) => {
  const old = partsOf(folder).get(name);
  if (old === undefined) throw new Error(`${name} does not run`);
  process.kill(old.pid, 'SIGKILL');
  expect(await newProcessOf(folder, old)).toMatchObject({ name });
});

test('and all of it works as before', async () => {
  const ready = async () =>
    (await call('/readyz').catch(() => undefined))?.status === 200 ? true : undefined;
  expect(await pollUntil(ready, { limitMs: 60_000, everyMs: 250 })).toBe(true);
  expect(await becomesConfirmed(await bookTrip('after-the-kills'))).toBe(true);
});

test('after kill -9 of the supervisor the parts are ended, and a new start has the data', async () => {
  const before = [...partsOf(folder).values()];
  const key = start.customerKey;
  await start.kill9();
  expect(await remains(before)).toEqual([]);
  start = await startCli(folder, port);
  expect(start.customerKey).toBe(key);
  expect(await statusOf(booking)).toBe('confirmed');
});

test('after kill -9 of supervisor and watchdog a new start ends what they left', async () => {
  const before = [...partsOf(folder).values()];
  const all = spawnSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).stdout;
  const watchdog = new RegExp(`^ *${start.pid} +(\\d+) .*recourse-watchdog`, 'm').exec(all)?.[1];
  process.kill(Number(watchdog), 'SIGKILL');
  await start.kill9();
  start = await startCli(folder, port);
  expect(start.output()).toMatch(/ended what an earlier start had left running: .*postgres/);
  expect(await remains(before)).toEqual([]);
  expect(await statusOf(booking)).toBe('confirmed');
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops all of it in order', async (signal) => {
  const before = [...partsOf(folder).values()];
  process.kill(start.pid, signal);
  expect(await start.exit).toMatchObject({ code: 0 });
  expect(await remains(before)).toEqual([]);
  expect([...partsOf(folder).keys()]).toEqual([]);
  if (signal === 'SIGTERM') start = await startCli(folder, port);
});
