import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, startApi, type Ask, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
});
afterAll(() => api.close());

const KEY = { key: 'a-key' };
const good = () => JSON.stringify(trip());
const replaced = (from: string, to: string) => good().replace(from, to);
const type = (name: string) => ({ 'content-type': name });

const BAD: readonly (readonly [string, Ask, number, string, string?])[] = [
  ['no API key', { ...KEY, as: null, body: trip() }, 401, 'unauthenticated'],
  ['an API key that is none', { ...KEY, as: 'rk_x', body: trip() }, 401, 'unauthenticated'],
  ['no idempotency key', { body: trip() }, 400, 'key-missing'],
  ['an idempotency key of blanks', { key: '""', body: trip() }, 400, 'key-malformed'],
  ['an idempotency key too long', { key: 'k'.repeat(256), body: trip() }, 400, 'key-malformed'],
  ['a list of idempotency keys', { key: 'a, a', body: trip() }, 400, 'key-malformed'],
  [
    'an idempotency key with SQL',
    { key: `'; drop table runs`, body: trip() },
    400,
    'key-malformed',
  ],
  ['no body', { ...KEY, method: 'POST' }, 400, 'body-invalid', ''],
  ['an empty object', { ...KEY, body: {} }, 400, 'body-invalid', '/traveller'],
  ['a list', { ...KEY, body: [trip()] }, 400, 'body-invalid', ''],
  ['truncated JSON', { ...KEY, body: good().slice(0, -1) }, 400, 'body-malformed'],
  ['two documents', { ...KEY, body: good() + good() }, 400, 'body-malformed'],
  ['JSON as text', { ...KEY, body: good(), headers: type('text/plain') }, 415, 'media-type'],
  [
    'a form',
    { ...KEY, body: 'a=1', headers: type('application/x-www-form-urlencoded') },
    415,
    'media-type',
  ],
  ['a deep body', { ...KEY, body: '['.repeat(5_000) + ']'.repeat(5_000) }, 400, 'too-deep'],
  [
    'an amount that a double cannot hold',
    { ...KEY, body: replaced('240000', '9007199254740993') },
    400,
    'body-invalid',
    '/payment/amount',
  ],
  [
    'an amount beyond all numbers',
    { ...KEY, body: replaced('240000', '1e400') },
    400,
    'body-invalid',
    '/payment/amount',
  ],
  [
    'an amount with a fraction',
    { ...KEY, body: replaced('240000', '2400.5') },
    400,
    'body-invalid',
    '/payment/amount',
  ],
  [
    'an amount as text',
    { ...KEY, body: replaced('240000', '"240000"') },
    400,
    'body-invalid',
    '/payment/amount',
  ],
  [
    'two amounts',
    { ...KEY, body: replaced('"amount":240000', '"amount":1,"amount":240000') },
    400,
    'body-invalid',
    '/payment/amount',
  ],
  [
    'an unknown currency',
    { ...KEY, body: replaced('INR', 'XXX') },
    400,
    'body-invalid',
    '/payment/currency',
  ],
  [
    'a NUL in a name',
    { ...KEY, body: replaced('Ada Byron', 'Ada\\u0000') },
    400,
    'body-invalid',
    '/traveller/name',
  ],
  [
    'half a surrogate pair in a name',
    { ...KEY, body: replaced('Ada Byron', '\\ud800') },
    400,
    'body-invalid',
    '/traveller/name',
  ],
  ['a missing offer', { ...KEY, body: trip({ flight: {} }) }, 400, 'body-invalid', '/flight/offer'],
  [
    'a member that is unknown',
    { ...KEY, body: trip({ status: 'confirmed' }) },
    400,
    'body-invalid',
    '/status',
  ],
  [
    'a prototype',
    { ...KEY, body: replaced('"name"', '"__proto__":{"admin":true},"name"') },
    400,
    'body-invalid',
    '/traveller/__proto__',
  ],
];

const TABLES = ['runs', 'claims', 'outbox', 'journal', 'cases', 'interventions', 'step_keys'];

/** How many rows there are of everything that a booking could have written. */
async function rowsWritten(): Promise<number> {
  const counts = TABLES.map((table) => `(select count(*) from ${table})`);
  const { rows } = await api.database.query(`select ${counts.join(' + ')} as count`);
  return Number(rows[0].count);
}

const rows = BAD.map(([what, question, status, code, at]) => ({
  what,
  question,
  status,
  code,
  at,
}));

test.each(rows)(
  'a booking with $what is refused, and nothing is written or started',
  async ({ question, status, code, at }) => {
    const reply = await ask(api, '/v1/bookings', question);
    expect(reply.body).toMatchObject({ code, status });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    if (at !== undefined) {
      expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(at);
    }
    expect(await rowsWritten()).toBe(0);
    expect(api.temporal.asked.size).toBe(0);
  },
);

test('the key of a refused booking is free for the corrected one', async () => {
  const key = 'first wrong then right';
  expect((await ask(api, '/v1/bookings', { key, body: {} })).status).toBe(400);
  expect((await ask(api, '/v1/bookings', { key, body: trip() })).status).toBe(202);
});

test('no word of a booking reaches the log', async () => {
  await ask(api, '/v1/bookings?name=canary-query', {
    key: 'canary-key',
    body: trip({
      reference: 'canary-reference',
      traveller: { name: 'canary name', email: 'canary@example.com' },
      flight: { offer: 'canary-flight' },
      hotel: { offer: 'canary-hotel', nights: 2 },
      payment: { amount: 77_077_077, currency: 'INR', source: 'canary-source' },
      metadata: { canary: 'canary-metadata' },
    }),
  });
  const log = JSON.stringify(api.log.lines);
  expect(log).toContain('/v1/bookings');
  expect(log).not.toMatch(/canary|77077077/);
});
