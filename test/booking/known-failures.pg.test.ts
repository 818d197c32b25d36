import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, startApi, type Ask, type Reply, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

// What has gone wrong at others, in public, tried here. The numbers are those of the list of
// inputs; 4 and 20, which need processes that are killed, are in test/engine/phases-killed.e2e, 5
// and 16, which need a worker, in known-failures.e2e, 18 in test/engine/outbox.pg. The others are
// of webhooks, which this engine has not.

let api: TestApi;
beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
  // The crowd is to meet a process that has its connections, not to wait for them to be opened.
  const hold = () => api.database.query('select pg_sleep(0.5)');
  await Promise.all(Array.from({ length: 20 }, hold)).catch(() => undefined);
  await Promise.all(Array.from({ length: 20 }, hold));
});
afterAll(() => api.close());

const own = (what: string) => `${what} ${randomUUID()}`;
const book = (key: string, body: unknown = trip(), more: Ask = {}): Promise<Reply> =>
  ask(api, '/v1/bookings', { key, body, ...more });
const runs = async (): Promise<number> =>
  (await api.database.query('select count(*)::integer as count from runs')).rows[0].count;

test.each([
  ['{"a":"1","b":"2"}', '{"b":"2","a":"1"}'],
  ['{"x":"1","X":"2"}', '{"X":"2","x":"1"}'],
])(
  'input 1, aws-powertools/powertools-lambda-python#638: %s and %s are one body',
  async (one, swapped) => {
    const key = own('order');
    const text = JSON.stringify(trip({ metadata: {} }));
    const first = await book(key, text.replace('"metadata":{}', `"metadata":${one}`));
    const again = await book(key, text.replace('"metadata":{}', `"metadata":${swapped}`));
    expect([first.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  },
);

test('input 3, idempot-dev/idempot-js#181: fifty at once have one winner and no 5xx', async () => {
  const [key, before] = [own('race'), await runs()];
  const all = await Promise.all(Array.from({ length: 50 }, () => book(key)));
  const fresh = all.filter(
    ({ status, headers }) => status === 202 && headers.get('idempotent-replayed') === null,
  );
  expect(fresh).toHaveLength(1);
  for (const { status, text, headers } of all) {
    if (status === 202) expect(text).toBe(fresh[0]?.text);
    else expect([status, headers.get('retry-after')]).toEqual([409, '1']);
  }
  expect(await runs()).toBe(before + 1);
});

test('input 6, mahendraHegde/node-idempotency#36: a 5xx is not what the key hears for days', async () => {
  const key = own('away');
  await api.database.query('alter table runs rename to runs_away');
  expect((await book(key)).status).toBeGreaterThanOrEqual(500);
  await api.database.query('alter table runs_away rename to runs');
  expect((await book(key)).status).toBe(202);
});

test('input 7, KanishJebaMathewM/Truxify#2869: a key answers for no other path', async () => {
  const key = own('path');
  const first = await book(key);
  const cancel = await ask(api, `/v1/bookings/${first.body.id}/cancel`, { key, body: {} });
  expect([cancel.status, cancel.body.code]).toEqual([422, 'key-reused']);
  expect((await ask(api, `/v1/bookings/${first.body.id}`)).body.cancellation).toBeNull();
});

test('input 7, KanishJebaMathewM/Truxify#2869: a 4xx is not kept from the corrected body', async () => {
  const key = own('corrected');
  expect((await book(key, trip({ hotel: { offer: 'H-204' } }))).status).toBe(400);
  expect((await book(key)).status).toBe(202);
});

test('input 8, irzix/nestjs-agentic#126, Tr3kkR/Yuzu#3586: two accounts may have one key', async () => {
  const key = own('tenant');
  const [mine, theirs] = await Promise.all([
    book(key),
    book(key, trip({ metadata: { a: '1' } }), { as: api.keys.stranger }),
  ]);
  expect([mine.status, theirs.status]).toEqual([202, 202]);
  expect(theirs.body.id).not.toBe(mine.body.id);
  const peek = await ask(api, `/v1/bookings/${mine.body.id}`, { as: api.keys.stranger });
  expect(peek.status).toBe(404);
});

test('input 9, ethereum/staking-deposit-cli#100, hiero-ledger/hiero-mirror-node#13912: no amount is rounded', async () => {
  const [key, before] = [own('large'), await runs()];
  for (const amount of ['9007199254740993', '9007199254740992']) {
    const reply = await book(key, JSON.stringify(trip()).replace('240000', amount));
    expect([reply.status, reply.body.code]).toEqual([400, 'body-invalid']);
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
  }
  expect(await runs()).toBe(before);
});

test('input 25, pathosDev/actor-ts#1308, VSN2015/concerns_on_rails#47: a replay lacks nothing', async () => {
  const key = own('whole');
  const first = await book(key, trip({ metadata: { letter: 'é 😊 \u001b' } }));
  const again = await book(key, trip({ metadata: { letter: 'é 😊 \u001b' } }));
  const ofItsOwn = ['date', 'request-id', 'ratelimit', 'idempotent-replayed'];
  const kept = ({ headers }: Reply) => [...headers].filter(([name]) => !ofItsOwn.includes(name));
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(kept(again)).toEqual(kept(first));
  expect(again.headers.get('location')).toBe(`/v1/bookings/${first.body.id}`);
});
