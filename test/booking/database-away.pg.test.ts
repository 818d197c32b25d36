import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ask, startApi, type Reply, type TestApi } from '../support/api.js';
import { startPostgres, type OwnPostgres } from '../support/start-servers.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

let postgres: OwnPostgres;
let api: TestApi;

beforeAll(async () => {
  postgres = await startPostgres();
  await runMigrations(postgres.url);
  const home = { url: postgres.url, drop: () => postgres.stop() };
  api = await startApi(tripApi, tripSagas(), { place: home });
});
afterAll(() => api.close());

const book = (key: string) => ask(api, '/v1/bookings', { key, body: trip() });

function expectAway(reply: Reply): void {
  expect(reply.body).toMatchObject({ code: 'unavailable', status: 503 });
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
}

test('without its database it says so, and afterwards nothing accepted is lost or doubled', async () => {
  const accepted = await book('before');
  expect(accepted.status).toBe(202);
  const held = ask(api, accepted.headers.get('location') ?? '', { headers: { prefer: 'wait=20' } });

  await postgres.kill9();
  expectAway(await held);
  expectAway(await book('during'));
  expectAway(await book('before'));
  expectAway(await ask(api, accepted.headers.get('location') ?? ''));
  expectAway(await ask(api, '/v1/bookings'));
  expect((await ask(api, '/readyz', { as: null })).body.missing).toEqual(['database']);
  expect((await ask(api, '/healthz', { as: null })).status).toBe(200);
  expect(api.log.lines.filter(({ level }) => level === 'error')).toEqual([]);

  await postgres.start();
  const again = await pollUntil(
    async () => {
      const reply = await book('before');
      return reply.status === 202 && reply;
    },
    { limitMs: 10_000 },
  );
  expect(again?.text).toBe(accepted.text);
  expect((await book('during')).headers.get('idempotent-replayed')).toBeNull();
  const { rows } = await api.database.query('select count(*)::integer as runs from runs');
  expect(rows).toEqual([{ runs: 2 }]);
});
