import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, startApi, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

// What a key costs: a week of them lies in the table, so each byte counts seven days long.

let api: TestApi;

beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
});
afterAll(() => api.close());

/** Of fifty thousand claims like the one that there is, with its index, which has no order. */
async function bytesOfMany(): Promise<number> {
  const { database } = api;
  await database.query(
    `insert into claims
     select expires_at, gen_random_uuid(), status, fingerprint, account, location, etag, body
     from claims, generate_series(1, 49999)`,
  );
  const { rows } = await database.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 / (select count(*) from claims) as bytes
     from pg_inherits where inhparent = 'claims'::regclass`,
  );
  await database.query('truncate claims');
  return rows[0]?.bytes ?? Infinity;
}

test('a claim whose answer has 237 bytes takes at most 509, sealed, with its index', async () => {
  const body = '{"object":"booking","id":"bk_'.padEnd(235, 'x');
  await ask(api, '/v1/bookings', { key: 'k', body: trip() });
  await api.database.query(`update claims set body = $1::bytea`, [
    api.sealer.sealBytes(Buffer.from(`${body}"}`), 'here'),
  ]);
  expect(await bytesOfMany()).toBeLessThanOrEqual(509);
});

test('a claim of a booking takes its answer and 350 bytes at most', async () => {
  const reply = await ask(api, '/v1/bookings', {
    key: 'k',
    body: trip({ reference: 'cart-81', metadata: { campaign: 'spring' } }),
  });
  const bytes = await bytesOfMany();
  expect(bytes - reply.text.length).toBeLessThanOrEqual(350);
});
