import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { ask, startApi, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

let api: TestApi;
let admin: Database;

beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
  admin = openDatabase({ url: api.databaseUrl, name: 'admin', connections: 1 });
});
afterAll(async () => {
  await admin.end();
  await api.close();
});

/** As some managed servers are once their disk is full; open connections hear of it. */
async function setReadOnly(isOn: boolean): Promise<void> {
  const name = new URL(api.databaseUrl).pathname.slice(1);
  await admin.query('set default_transaction_read_only = off');
  await admin.query(
    `alter database ${name} set default_transaction_read_only = ${isOn ? 'on' : 'off'}`,
  );
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

test('while the database only reads, bookings are refused for now and can be looked at', async () => {
  const order = { key: 'before', body: trip() };
  const { body: booked } = await ask(api, '/v1/bookings', order);
  await setReadOnly(true);
  const read = () => ask(api, `/v1/bookings/${booked.id}`).then(({ status }) => status);
  await expect.poll(read).toBe(200);
  for (const [path, body] of [
    ['/v1/bookings', trip()],
    [`/v1/bookings/${booked.id}/cancel`, {}],
    [`/v1/bookings/${booked.id}/cancellations`, {}],
  ] as const) {
    const refused = await ask(api, path, { method: 'POST', key: 'meanwhile', body });
    expect(refused.body).toMatchObject({ code: 'unavailable', status: 503 });
    expect(refused.headers.get('retry-after')).toBe('1');
  }
  expect((await ask(api, '/v1/bookings')).body.data).toHaveLength(1);
  expect(await read()).toBe(200);
  await setReadOnly(false);
  const again = () => ask(api, '/v1/bookings', { ...order, key: 'meanwhile' });
  await expect.poll(() => again().then(({ status }) => status)).toBe(202);
});
