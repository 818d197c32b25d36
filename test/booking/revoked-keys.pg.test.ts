import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/engine/accounts/accounts.store.js';
import { RECOURSE_VERSION } from '../../src/engine/http/recourse-version.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ask, startApi, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';
import { watch } from '../support/watcher.js';

const KEY_LIFE_MS = 100;
const LIMIT = { limitMs: 10_000, everyMs: 20 };

let api: TestApi;
beforeAll(async () => {
  api = await startApi(tripApi, tripSagas(), { keyLifeMs: KEY_LIFE_MS });
});
afterAll(() => api.close());

const newKey = () => createKey(api.database, { account: 'acme', role: 'customer' });
const bookings = (as: string) => ask(api, '/v1/bookings', { as });

test('a revoked key is out within its time, and its open stream ends', async () => {
  const { id, key } = await newKey();
  const booked = await ask(api, '/v1/bookings', { as: key, key: 'a', body: trip() });
  const path = `/v1/bookings/${booked.body.id}/events`;
  const [gone, kept] = [
    await watch(`${api.url}${path}`, key),
    await watch(`${api.url}${path}`, api.keys.customer),
  ];
  await Promise.all([gone, kept].map((one) => one.until(({ id: of }) => of === '1')));
  await revokeKey(api.database, id);
  expect(await gone.end).toBe('ended');
  const out = await pollUntil(async () => (await bookings(key)).status === 401, LIMIT);
  expect(out).toBe(true);
  expect((await watch(`${api.url}${path}`, key)).status).toBe(401);
  expect((await bookings(api.keys.customer)).status).toBe(200);
  kept.leave();
  expect(await kept.end).toBe('broken');
});

test('an expired key is out, and answered as one that is none', async () => {
  const { key } = await createKey(api.database, {
    ...{ account: 'acme', role: 'customer', lifeMs: 300 },
  });
  expect((await bookings(key)).status).toBe(200);
  const refused = await pollUntil(async () => {
    const reply = await bookings(key);
    return reply.status === 401 ? reply : undefined;
  }, LIMIT);
  const never = await bookings(`rk_live_none_${'a'.repeat(43)}`);
  expect({ ...refused?.body, request_id: '' }).toEqual({ ...never.body, request_id: '' });
});

test('the version that answers is said, the pinned one unless the request names one', async () => {
  const asking = (version: string) =>
    ask(api, '/v1/bookings', { headers: { 'recourse-version': version } });
  for (const reply of [await bookings(api.keys.customer), await asking(RECOURSE_VERSION)]) {
    expect(reply.status).toBe(200);
    expect(reply.headers.get('recourse-version')).toBe(RECOURSE_VERSION);
  }
  const unknown = await asking('2020-01-01');
  expect(unknown).toMatchObject({ status: 400, body: { code: 'version-unknown' } });
  expect(unknown.body.detail).toContain(RECOURSE_VERSION);
  expect(unknown.headers.get('recourse-version')).toBe(RECOURSE_VERSION);
});

test('an account that is pinned to a version of later is told to come again', async () => {
  await api.database.query(`update accounts set pinned_version = '2099-01-01' where id = 'zenith'`);
  const reply = await bookings(api.keys.stranger);
  expect(reply).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  const named = await ask(api, '/v1/bookings', {
    as: api.keys.stranger,
    headers: { 'recourse-version': RECOURSE_VERSION },
  });
  expect(named.status).toBe(200);
});
