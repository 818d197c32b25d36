import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderCall, Seen } from '../support/provider-call.js';
import { callProvider, codeOf, FAR_DEADLINE, jsonOf } from '../support/provider-call.js';
import type { SandboxHere } from './sandbox-here.js';
import { openSandboxHere } from './sandbox-here.js';

let sandbox: SandboxHere;
beforeEach(async () => void (sandbox = await openSandboxHere()));
afterEach(() => sandbox.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const cardCharge = { amount: 240000, currency: 'INR', source: 'tok_visa' };
const traveller = { name: 'Ada Byron', email: 'ada@example.com' };

const charge = (key: string, call: ProviderCall = {}): Promise<Seen> =>
  callProvider(`${sandbox.providers.payments}/charges`, { key, body: cardCharge, ...call });
const hold = (key: string, offer = 'BLR-LHR-0417'): Promise<Seen> =>
  callProvider(`${sandbox.providers.flights}/orders`, { key, body: { offer, traveller } });
const reserve = (key: string, offer = 'H-204'): Promise<Seen> =>
  callProvider(`${sandbox.providers.hotels}/reservations`, {
    key,
    body: { offer, nights: 2, guest: traveller },
  });
const kinds = async (prefix: string) => (await sandbox.effects(prefix)).map(({ kind }) => kind);

test('a whole trip and its way back, as the contract spells it', async () => {
  const { payments, flights, hotels, messages } = sandbox.providers;
  const charged = jsonOf(await charge('r:charge'));
  expect(charged).toMatchObject({ status: 'succeeded', amount: 240000, currency: 'INR' });
  const order = jsonOf(await hold('r:flight'));
  const room = jsonOf(await reserve('r:hotel'));
  const message = { to: 'ada@example.com', kind: 'receipt', data: { total: 240000 } };
  const sent = await callProvider(`${messages}/messages`, { key: 'r:receipt', body: message });
  expect([sent.status, Object.keys(jsonOf(sent))]).toEqual([202, ['id']]);

  const freed = await callProvider(`${hotels}/reservations/${String(room.id)}`, {
    method: 'DELETE',
    key: 'r:hotel:undo',
  });
  expect([freed.status, freed.text]).toEqual([204, '']);
  const released = await callProvider(`${flights}/orders/${String(order.id)}/cancel`, {
    key: 'r:flight:undo',
    body: {},
  });
  expect([released.status, jsonOf(released)]).toEqual([200, { id: order.id, status: 'cancelled' }]);
  const refund = { charge: charged.id, amount: 240000 };
  const refunded = await callProvider(`${payments}/refunds`, {
    key: 'r:charge:undo',
    body: refund,
  });
  expect(refunded.status).toBe(201);
  expect(await kinds('r:')).toEqual([
    'charge',
    'hold',
    'reserve',
    'message',
    'cancel',
    'release',
    'refund',
  ]);
  const refunds = await callProvider(`${payments}/refunds?reference=r:charge:undo`, { key: 'q' });
  expect(jsonOf(refunds)).toEqual({ data: [jsonOf(refunded)] });
});

test('a ticket is found by its own reference', async () => {
  const { flights } = sandbox.providers;
  const { id } = jsonOf(await hold('r:flight'));
  const issued = await callProvider(`${flights}/orders/${String(id)}/ticket`, {
    key: 'r:ticket',
    body: {},
  });
  const { ticket } = jsonOf(issued);
  expect(ticket).toMatch(/^T-/);
  const found = await callProvider(`${flights}/orders?reference=r:ticket`, { key: 'r:ticket' });
  expect(jsonOf(found).data).toMatchObject([{ id, status: 'ticketed', ticket }]);
});

describe('keys', () => {
  test('of two charges with one key at the same moment one is told in_progress', async () => {
    const both = await Promise.all([charge('r:charge'), charge('r:charge')]);
    const [done, refused] = both.toSorted((a, b) => (a.status ?? 0) - (b.status ?? 0));
    expect([done?.status, refused?.status]).toEqual([201, 409]);
    expect(refused && codeOf(refused)).toBe('in_progress');
    expect(await kinds('r:')).toEqual(['charge']);
    expect(await sandbox.requests('r:')).toHaveLength(2);
  });

  test('twenty callers that insist on one key get one charge and one answer', async () => {
    const insist = async (): Promise<string> => {
      const seen = await charge('r:charge');
      return seen.status === 409 ? insist() : seen.text;
    };
    const answers = await Promise.all(Array.from({ length: 20 }, insist));
    expect(new Set(answers).size).toBe(1);
    expect(await kinds('r:')).toEqual(['charge']);
  });

  test('a repeated charge is answered word for word, whatever the member order', async () => {
    const first = await charge('r:charge');
    const turned = '{"reference":"r:charge","source":"tok_visa","currency":"INR","amount":240000}';
    const again = await charge('r:charge', { body: turned });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(await kinds('r:')).toEqual(['charge']);
  });

  test('one key with another body is refused', async () => {
    await charge('r:charge');
    const other = await charge('r:charge', { body: { ...cardCharge, amount: 1 } });
    expect([other.status, codeOf(other)]).toEqual([422, 'key_reused']);
    expect(await kinds('r:')).toEqual(['charge']);
  });

  test.each([
    [DAY_MS - 60_000, 1],
    [DAY_MS, 2],
  ])('after %i ms there are %i charges', async (ms, charges) => {
    await charge('r:charge');
    sandbox.turnClock(ms);
    expect((await charge('r:charge')).status).toBe(201);
    expect(await kinds('r:')).toHaveLength(charges);
  });

  test('flights and hotels know no keys: a repetition is a second effect', async () => {
    await hold('r:flight');
    await hold('r:flight');
    await reserve('r:hotel');
    await reserve('r:hotel');
    expect(await kinds('r:')).toEqual(['hold', 'hold', 'reserve', 'reserve']);
    const found = await callProvider(`${sandbox.providers.flights}/orders?reference=r:flight`, {
      key: 'r:flight',
    });
    expect(jsonOf(found).data).toHaveLength(2);
  });

  test.each(['hotels/reservations', 'messages/messages'])('%s cannot be asked', async (path) => {
    const seen = await callProvider(`${sandbox.url}/${path}?reference=r:hotel`, { key: 'r:hotel' });
    expect([seen.status, codeOf(seen)]).toEqual([404, 'no_such_route']);
  });
});

test('what comes after its deadline is refused without an effect, and is on record', async () => {
  const late = await charge('r:charge', { deadline: new Date(Date.now() - 1).toISOString() });
  expect([late.status, codeOf(late)]).toEqual([410, 'deadline_passed']);
  expect(await kinds('r:')).toEqual([]);
  expect(await sandbox.requests('r:')).toMatchObject([{ operation: 'charge', attempt: 1 }]);
  expect((await charge('r:charge')).status).toBe(201);
});

test.each<[offer: string, flight: number, effects: number, broken: string | null]>([
  ['X-SOLDOUT', 409, 0, null],
  ['X-500', 500, 0, null],
  ['X-LOST', 0, 1, 'ECONNRESET'],
  ['X-SLOW', 201, 1, null],
  ['SOLDOUT-X', 201, 1, null],
])('an offer %s is answered %i by flights and hotels', async (offer, status, effects, broken) => {
  const [flight, hotel] = await Promise.all([hold('r:flight', offer), reserve('r:hotel', offer)]);
  expect([flight.status ?? 0, flight.broken]).toEqual([status, broken]);
  expect([hotel.status ?? 0, hotel.broken]).toEqual([status, broken]);
  expect(await kinds('r:flight')).toHaveLength(effects);
  expect(await kinds('r:hotel')).toHaveLength(effects);
});

test('an offer that ends in -SOLDOUT is refused as sold_out', async () => {
  expect(codeOf(await hold('r:flight', 'X-SOLDOUT'))).toBe('sold_out');
  expect(codeOf(await reserve('r:hotel', 'X-SOLDOUT'))).toBe('sold_out');
});

test('an offer X-HANG is never answered and has no effect', async () => {
  const body = { offer: 'X-HANG', nights: 1, guest: 'Ada' };
  const path = `${sandbox.providers.hotels}/reservations`;
  expect(await callProvider(path, { key: 'r:h', body, timeoutMs: 150 })).toMatchObject({
    status: null,
    broken: 'timeout',
  });
  expect(await kinds('r:')).toEqual([]);
});

test('the source tok_declined is declined, and its key is still free', async () => {
  const declined = await charge('r:c', { body: { ...cardCharge, source: 'tok_declined' } });
  expect([declined.status, codeOf(declined)]).toEqual([402, 'card_declined']);
  expect((await charge('r:c')).status).toBe(201);
});

const long = 'x'.repeat(70_000);
test.each<[path: string, call: ProviderCall, status: number, names: string]>([
  ['payments/charges', { body: '{"amount":', key: 'k' }, 400, 'not JSON'],
  ['payments/charges', { body: '', key: 'k', method: 'POST' }, 400, 'not JSON'],
  ['payments/charges', { body: '[]', key: 'k' }, 400, 'body'],
  ['payments/charges', { body: cardCharge }, 400, 'Idempotency-Key'],
  ['payments/charges', { body: { ...cardCharge, amount: 1.5 }, key: 'k' }, 400, 'body.amount'],
  ['payments/charges', { body: { ...cardCharge, amount: 0 }, key: 'k' }, 400, 'body.amount'],
  ['payments/charges', { body: { ...cardCharge, amount: 2 ** 53 }, key: 'k' }, 400, 'body.amount'],
  ['payments/charges', { body: { ...cardCharge, currency: 'inr' }, key: 'k' }, 400, 'currency'],
  ['payments/charges', { body: cardCharge, key: 'k', deadline: 'soon' }, 400, 'Recourse-Deadline'],
  ['payments/charges', { body: JSON.stringify(cardCharge), key: 'k' }, 400, 'body.reference'],
  ['payments/refunds', { body: { amount: 1 }, key: 'k' }, 400, 'body.charge'],
  ['payments/charges', { key: 'k' }, 400, 'query reference'],
  ['flights/orders', { body: { offer: 'O' }, key: 'k' }, 400, 'body.traveller'],
  ['flights/orders/or_1/cancel', { body: '{"reference":"j"}', key: 'k' }, 400, 'must equal'],
  ['hotels/reservations', { body: { offer: 'O', guest: 'A' }, key: 'k' }, 400, 'body.nights'],
  ['messages/messages', { body: { to: 'a', kind: 'b' }, key: 'k' }, 400, 'body.data'],
  ['payments/charges', { body: { ...cardCharge, long }, key: 'k' }, 413, '64 kB'],
  ['payments/nothing', { body: {}, key: 'k' }, 404, 'payments has no POST'],
  ['hotels/reservations/', { method: 'DELETE', key: 'k' }, 404, 'hotels has no DELETE'],
])('%s with %j is refused with %i, which says %s', async (path, call, status, names) => {
  const seen = await callProvider(`${sandbox.url}/${path}`, call);
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(names)]);
  expect(await sandbox.effects()).toEqual([]);
  expect(await sandbox.requests()).toHaveLength(1);
});

describe('the witness', () => {
  test('shows requests and effects in one order, by prefix', async () => {
    await charge('r1:charge');
    await charge('r2:charge');
    const requests = await sandbox.requests('r1:');
    const effects = await sandbox.effects('r1:');
    expect(requests).toMatchObject([
      {
        provider: 'payments',
        operation: 'charge',
        method: 'POST',
        path: '/payments/charges',
        key: 'r1:charge',
        reference: 'r1:charge',
        deadline: FAR_DEADLINE,
        body: { ...cardCharge, reference: 'r1:charge' },
        attempt: 1,
        fault: null,
      },
    ]);
    expect(requests[0]?.body_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(effects).toMatchObject([{ kind: 'charge', amount: 240000, currency: 'INR' }]);
    expect(effects[0]?.sequence).toBeGreaterThan(requests[0]?.sequence ?? Infinity);
    expect(await sandbox.effects()).toHaveLength(2);
  });

  test('counts the attempts of a reference, and refuses other parameters', async () => {
    await hold('r:flight');
    await hold('r:flight');
    await callProvider(`${sandbox.providers.flights}/orders?reference=r:flight`, {
      key: 'r:flight',
    });
    const attempts = (await sandbox.requests('r:')).map(({ attempt }) => attempt);
    expect(attempts).toEqual([1, 2, 1]);
    const mistyped = await callProvider(`${sandbox.url}/_sandbox/effects?ref=r`);
    expect([mistyped.status, mistyped.text]).toEqual([400, expect.stringContaining('ref')]);
  });

  test('is well, and knows no other routes', async () => {
    expect(await callProvider(`${sandbox.url}/_sandbox/healthz`)).toMatchObject({ status: 200 });
    expect(await callProvider(`${sandbox.url}/_sandbox/x`)).toMatchObject({ status: 404 });
    expect(await callProvider(`${sandbox.url}/`)).toMatchObject({ status: 404 });
  });
});

test('a sandbox that is opened again knows keys, orders, record and script', async () => {
  const first = await charge('r:charge');
  const { id } = jsonOf(await hold('r:flight'));
  await sandbox.fault({ provider: 'hotels', operation: 'reserve', times: 2, do: 'decline' });
  expect((await reserve('r:hotel')).status).toBe(409);
  const before = [await sandbox.requests(), await sandbox.effects(), await sandbox.faults()];

  sandbox = await sandbox.reopen();
  expect([await sandbox.requests(), await sandbox.effects(), await sandbox.faults()]).toEqual(
    before,
  );
  expect((await charge('r:charge')).text).toBe(first.text);
  const { flights } = sandbox.providers;
  const cancelled = await callProvider(`${flights}/orders/${String(id)}/cancel`, {
    key: 'r:flight:undo',
    body: {},
  });
  expect(cancelled.status).toBe(200);
  expect((await reserve('r:hotel')).status).toBe(409);
  expect((await reserve('r:hotel')).status).toBe(201);
  expect((await sandbox.requests('r:hotel')).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

test('a hundred and fifty calls at once all land, once each', async () => {
  const trips = Array.from({ length: 50 }, (_, trip) => trip);
  const answers = await Promise.all(
    trips.flatMap((trip) => [charge(`t${trip}:c`), hold(`t${trip}:f`), reserve(`t${trip}:h`)]),
  );
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  expect(await sandbox.effects('t')).toHaveLength(150);
});
