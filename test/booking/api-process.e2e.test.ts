import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ensureDemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import {
  spawnNode,
  spawnPart,
  startOwnPostgres,
  type OwnPostgres,
  type Part,
} from '../support/processes.js';
import { openRaw } from '../support/raw-http.js';
import { trip } from '../support/trip.js';

// The API as it is run, beside a Postgres that dies and no Temporal at all.

const NOBODY_LISTENS = '127.0.0.1:9';

let postgres: OwnPostgres;
let api: Part | undefined;

beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterEach(async () => {
  await api?.stop();
  api = undefined;
});
afterAll(() => postgres.stop());

const environment = () => ({
  DATABASE_URL: postgres.url,
  TEMPORAL_ADDRESS: NOBODY_LISTENS,
  RECOURSE_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  PORT: '0',
});

const refusals: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  ['no database', { DATABASE_URL: '' }, /^recourse-api: DATABASE_URL: is not set$/],
  ['a port that is none', { PORT: 'http' }, /^recourse-api: PORT: /],
  ['a key that is too short', { RECOURSE_ENCRYPTION_KEYS: 'a:YQ==' }, /^recourse-api: key a has 1/],
  ['a database that was not migrated', {}, /^recourse-api: the database \S+ lacks 0001_.*migrate/],
];

test.each(refusals)(
  'with %s it does not start, and one line says why',
  async (_what, env, line) => {
    const refused = await spawnNode('api', [], { ...environment(), ...env });
    expect(await refused.exit).toMatchObject({ code: 1 });
    expect(refused.lines().filter((one) => one.startsWith('recourse-api'))).toEqual([
      expect.stringMatching(line),
    ]);
  },
);

test('told to end, it answers what is held, lets every client go, and is gone in time', async () => {
  await runMigrations(postgres.url);
  const { customer } = await ensureDemoKeys(postgres.url);
  api = await spawnPart('api', environment());
  const url = String(api.ready['url']);
  const headers = { authorization: `Bearer ${customer}`, 'content-type': 'application/json' };
  const booked = await fetch(`${url}/v1/bookings`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': 'closing' },
    body: JSON.stringify(trip()),
  });
  const place = `${url}${booked.headers.get('location')}`;
  const etag = (await fetch(place, { headers })).headers.get('etag') ?? '';
  const held = fetch(place, { headers: { ...headers, prefer: 'wait=30', 'if-none-match': etag } });
  const events = await fetch(`${place}/events`, { headers });
  const [silent, half] = [openRaw(url), openRaw(url)];
  half.socket.write('POST /v1/bookings HTTP/1.1\r\nHost: x\r\n');
  // By then all of them are there: the one that asks last is answered.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const began = performance.now();
  api.signal('SIGTERM');
  const last = await held;
  // The booking has not moved meanwhile, so the reader has it already.
  expect([last.status, last.headers.get('connection')]).toEqual([304, 'close']);
  expect(await events.text()).toContain('booking.created');
  expect(await api.exit).toMatchObject({ code: 0 });
  expect(performance.now() - began).toBeLessThan(20_000);
  expect([await silent.ended, await half.ended]).toEqual(['', '']);
});

test('it accepts without Temporal, survives its database, and ends in order', async () => {
  await runMigrations(postgres.url);
  const { customer } = await ensureDemoKeys(postgres.url);
  api = await spawnPart('api', environment());
  const url = String(api.ready['url']);
  const at = { url: expect.stringMatching(/^http:/), metrics: null };
  expect(api.ready).toEqual({ ready: true, part: 'api', ...at });
  const book = (key: string): Promise<Response> =>
    fetch(`${url}/v1/bookings`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(trip()),
    });
  const first = await book('one');
  expect(first.status).toBe(202);
  await postgres.kill9();
  expect((await book('two')).status).toBe(503);
  await postgres.start();
  await expect.poll(async () => (await book('two')).status, { timeout: 20_000 }).toBe(202);
  expect(await (await book('one')).text()).toBe(await first.text());

  api.signal('SIGTERM');
  expect(await api.exit).toMatchObject({ code: 0 });
  expect(api.output()).not.toMatch(/ada@example\.com|Ada Byron|tok_visa/);
});
