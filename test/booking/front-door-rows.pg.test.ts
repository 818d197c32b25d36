import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../src/engine/http/problem.js';
import { ask, PUBLIC_URL, startApi, type Ask, type Reply, type TestApi } from '../support/api.js';
import { sendRaw } from '../support/raw-http.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

// How the front door behaves, row by row, over HTTP; rows 9 and 10 are tested where clocks can be
// moved and processes killed: claim-days.pg, phased-claims.pg, phases-killed.e2e. Of what is behind
// the door, 13 is in step-key and call-input, 14 in endings.e2e, 18 in outbox.pg and relay.pg, 23
// in lease.pg and outbox.pg, 24 in confirm-quote.pg and cancellations.pg. The other rows tell of
// webhooks and of a ledger, which this engine has not.

const sagas = tripSagas();
let api: TestApi;
let other: TestApi;

beforeAll(async () => {
  api = await startApi(tripApi, sagas);
  // A second process on the same record, as far as the gate can tell.
  other = await startApi(tripApi, sagas, {
    place: { url: api.databaseUrl, drop: async () => undefined },
  });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const book = (key: string, changes: object = {}, more: Ask = {}): Promise<Reply> =>
  ask(api, '/v1/bookings', { key, body: trip({ ...changes }), ...more });
const count = async (table: string): Promise<number> =>
  (await api.database.query(`select count(*)::integer as count from ${table}`)).rows[0].count;
const own = (what: string) => `${what} ${randomUUID()}`;

/** Makes every insert of a run do something first, until it is called off. */
async function onEveryRun(statement: string): Promise<() => Promise<unknown>> {
  await api.database.query(
    `create function meddle() returns trigger language plpgsql as
       $$ begin ${statement}; return new; end $$;
     create trigger meddle before insert on runs for each row execute function meddle()`,
  );
  return () => api.database.query('drop function meddle cascade');
}

function bookRaw(...lines: readonly string[]) {
  const text = JSON.stringify(trip());
  const head = [
    'POST /v1/bookings HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${api.keys.customer}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
    'Connection: close',
    ...lines,
  ];
  return sendRaw(api.url, `${head.join('\r\n')}\r\n\r\n${text}`);
}

describe('row 1: a key that is missing or none', () => {
  test.each([
    ['missing', [], 'key-missing'],
    ['empty', ['Idempotency-Key:'], 'key-malformed'],
    ['blank', ['Idempotency-Key:    '], 'key-malformed'],
    ['on two lines', ['Idempotency-Key: a', 'Idempotency-Key: a'], 'key-malformed'],
    ['with a NUL', ['Idempotency-Key: a\0b'], 'request-malformed'],
    ['too long', [`Idempotency-Key: ${'k'.repeat(256)}`], 'key-malformed'],
    ['not ASCII', ['Idempotency-Key: \xe9'], 'key-malformed'],
  ])('%s is 400 with a type of its own, and nothing is written', async (_what, lines, code) => {
    const before = [await count('claims'), await count('runs')];
    const { status, headers, body } = await bookRaw(...lines);
    expect([status, headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(JSON.parse(body)).toMatchObject({ code, type: `${PUBLIC_URL}/problems/${code}` });
    expect([await count('claims'), await count('runs')]).toEqual(before);
  });
});

test.each([
  ['a UUID that begins with a digit', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['a UUID that begins with a letter', 'fe03978e-40d5-43e8-bc93-6894a57f9324'],
])('row 2: %s is one key, quoted and bare', async (_what, key) => {
  const first = await book(`"${key}"`);
  const again = await book(key);
  expect([first.status, again.text]).toEqual([202, first.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test.each([`"k";a=1`, `"a", "b"`, `"a\\n"`, `k;a=1`, `k,`])(
  'row 2: %s, a parameter, a list or a bad escape, is refused',
  async (key) => {
    expect((await book(key)).body.code).toBe('key-malformed');
  },
);

test('row 3: 255 characters are a key, however it is quoted, and 256 are none', async () => {
  const key = own('long').padEnd(255, '"').replaceAll('"', 'q');
  expect((await book(key)).status).toBe(202);
  const quoted = `"${'\\"'.repeat(255)}"`;
  expect((await book(quoted)).status).toBe(202);
  expect((await book(`${key}k`)).body.code).toBe('key-malformed');
  expect((await book(`"${'\\"'.repeat(256)}"`)).body.code).toBe('key-malformed');
});

test('row 4: a key is of its account, and of one method, path, query and body', async () => {
  const key = own('scoped');
  const first = await book(key);
  const theirs = await book(key, {}, { as: api.keys.stranger });
  expect([theirs.status, theirs.body.id === first.body.id]).toEqual([202, false]);
  const elsewhere = { key, body: trip() };
  expect((await ask(api, '/v1/bookings?a=1', elsewhere)).body.code).toBe('key-reused');
  const cancel = await ask(api, `/v1/bookings/${first.body.id}/cancel`, { key, body: {} });
  expect(cancel.body.code).toBe('key-reused');
  expect((await book(key, { metadata: {} })).body.code).toBe('key-reused');
});

test('row 5: another body is 422 after an answer, and after a refusal it is heard', async () => {
  const key = own('other');
  expect((await book(key, { hotel: null })).body.code).toBe('body-invalid');
  expect((await book(key)).status).toBe(202);
  const reply = await book(key, { metadata: { a: '1' } });
  expect([reply.status, reply.body.code]).toEqual([422, 'key-reused']);
});

test('row 6: while the winner holds its transaction the next is told at once, in any process', async () => {
  const callOff = await onEveryRun('perform pg_sleep(2)');
  const key = own('held');
  const winner = book(key);
  await expect
    .poll(async () => {
      const { rows } = await api.database.query(
        `select count(*)::integer as held from pg_locks where locktype = 'advisory' and granted`,
      );
      return rows[0].held > 0;
    })
    .toBe(true);
  const began = performance.now();
  for (const process of [other, api]) {
    const told = await ask(process, '/v1/bookings', { key, body: trip() });
    expect([told.status, told.body.code]).toEqual([409, 'in-progress']);
    expect(told.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  // The winner takes two seconds: nobody has waited for it.
  expect(performance.now() - began).toBeLessThan(1_500);
  expect((await winner).status).toBe(202);
  await callOff();
});

test('row 7: a replay is the first answer byte for byte, from either process', async () => {
  const key = own('again');
  const first = await book(key);
  const same = ['location', 'content-type', 'idempotency-expires', 'recourse-version'];
  for (const process of [api, other]) {
    const again = await ask(process, '/v1/bookings', { key, body: trip() });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    for (const name of same) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
    expect(again.headers.get('set-cookie')).toBeNull();
  }
});

describe('row 8: what is saved', () => {
  test('is no refusal: the same key is worked out anew', async () => {
    const key = own('refused');
    const wrong: [Ask, number][] = [
      [{ as: null }, 401],
      [{ headers: { accept: 'text/xml' } }, 406],
      [{ body: ' '.repeat(200_000) }, 413],
      [{ headers: { 'content-type': 'text/css' } }, 415],
      [{ body: {} }, 400],
    ];
    for (const [more, status] of wrong) {
      expect((await book(key, {}, more)).status).toBe(status);
    }
    expect((await book(key)).status).toBe(202);
  });

  test('is no failure of ours: the same key finds out, and ends with one answer', async () => {
    const key = own('failed');
    const callOff = await onEveryRun(`raise exception 'not today'`);
    const before = [await count('claims'), await count('runs'), await count('outbox')];
    for (const _ of [1, 2]) expect((await book(key)).body.code).toBe('internal');
    expect([await count('claims'), await count('runs'), await count('outbox')]).toEqual(before);
    await callOff();
    const first = await book(key);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect((await book(key)).text).toBe(first.text);
  });
});

test.each([
  ['a doubled name', '"nights":2', '"nights":2,"nights":3'],
  ['an integer that is not exact', '240000', '9007199254740993'],
  ['half a surrogate pair', 'Ada', '\\ud800'],
  ['`__proto__`', '"nights"', '"__proto__":1,"nights"'],
])('row 11: %s is refused, never read in one of two ways', async (_what, from, to) => {
  const body = JSON.stringify(trip()).replace(from, to);
  expect((await book(own('read'), {}, { body })).body.code).toBe('body-invalid');
});

test('row 11: another form of the same letter is another body', async () => {
  const key = own('letters');
  const named = (form: string) => book(key, { metadata: { name: 'é'.normalize(form) } });
  expect((await named('NFC')).status).toBe(202);
  expect((await named('NFD')).body.code).toBe('key-reused');
});

describe('row 12: an error', () => {
  const operator = () => ({ as: api.keys.operator });
  test.each<[ProblemCode, string, () => Ask]>([
    ['request-malformed', '/v1/%zz', () => ({})],
    ['unauthenticated', '/v1/bookings', () => ({ as: null })],
    ['forbidden', '/v1/runs', () => ({})],
    ['not-found', '/nothing', () => ({ as: null })],
    ['method-not-allowed', '/v1/bookings', () => ({ method: 'PUT' })],
    ['not-acceptable', '/v1/bookings', () => ({ headers: { accept: 'text/xml' } })],
    ['body-too-large', '/v1/bookings', () => ({ key: 'a', body: ' '.repeat(200_000) })],
    ['uri-too-long', `/v1/bookings/${'a'.repeat(200)}`, () => ({})],
    [
      'media-type',
      '/v1/bookings',
      () => ({ key: 'a', body: 'a', headers: { 'content-type': 'a' } }),
    ],
    ['body-malformed', '/v1/bookings', () => ({ key: 'a', body: '{' })],
    ['query-invalid', '/v1/cases?limit=0', operator],
  ])(
    'as %s is a problem with its status and a type that leads to its page',
    async (code, path, of) => {
      const reply = await ask(api, path, of());
      const { status } = PROBLEMS[code];
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
      expect(reply.body).toMatchObject({ code, status, type: `${PUBLIC_URL}/problems/${code}` });
      expect(reply.headers.get('request-id')).toBe(reply.body.request_id);
      expect((await ask(api, `/problems/${code}`, { as: null })).status).toBe(200);
    },
  );
});
