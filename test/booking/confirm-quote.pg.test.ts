import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { append } from '../support/append.js';
import { ask } from '../support/api.js';
import { begin, doSteps } from '../support/begun-trip.js';
import { saidBy, startQuotingApi, type QuotingApi } from '../support/quoting-api.js';

// The token of a quote: who has it cancels as was quoted, once, and nobody else ever does.

let own: QuotingApi;

beforeAll(async () => {
  own = await startQuotingApi();
});
afterAll(() => own.close());

describe('a quote that is confirmed', () => {
  test('cancels its booking as a cancel does, and is confirmed', async () => {
    const booking = await own.book();
    await doSteps(own.api, own.sagas, booking, 'charge');
    const { id, token } = (await own.quote(booking)).body;
    const reply = await own.confirm(id, token);
    expect(reply.status).toBe(202);
    expect(reply.headers.get('location')).toBe(`/v1/bookings/${booking}`);
    expect(reply.body).toMatchObject({ id: booking, status: 'cancelling' });
    expect((await own.read(id)).body).toMatchObject({ state: 'confirmed', token: null });
    const { rows } = await own.api.database.query(
      `select action, reason from interventions where run = $1::text`,
      [booking],
    );
    expect(rows).toEqual([{ action: 'cancel', reason: `confirmed ${id}` }]);
    const { rows: told } = await own.api.database.query(
      `select kind from outbox where run = $1::text and kind = 'cancel'`,
      [booking],
    );
    expect(told).toHaveLength(1);
  });

  test('answers its own key again, and no other one', async () => {
    const { id, token } = (await own.quote(await own.book())).body;
    const first = await own.confirm(id, token, { key: 'confirm-once' });
    const again = await own.confirm(id, token, { key: 'confirm-once' });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await own.confirm(id, token)).status).toBe(404);
  });

  test('row 24: twenty at once cancel once, and the others find nothing', async () => {
    const booking = await own.book();
    const { id, token } = (await own.quote(booking)).body;
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.confirm(id, token)));
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([202, ...Array.from({ length: 19 }, () => 404)]);
    expect(await own.count('interventions', booking)).toBe(1);
  });

  test('changes nothing where somebody else has cancelled it meanwhile', async () => {
    const booking = await own.book();
    const { id, token } = (await own.quote(booking)).body;
    await ask(own.api, `/v1/bookings/${booking}/cancel`, { key: own.newKey(), body: {} });
    expect((await own.confirm(id, token)).status).toBe(202);
    expect(await own.count('interventions', booking)).toBe(1);
  });
});

type Wrong = readonly [what: string, token: (quoted: Quoted) => Promise<string> | string];
interface Quoted {
  readonly id: string;
  readonly token: string;
}

const WRONG: readonly Wrong[] = [
  ['guessed', () => 'A'.repeat(43)],
  ['of another form', () => 'no token at all'],
  ['cut', ({ token }) => token.slice(1)],
  ['with a blank behind it', ({ token }) => `${token} `],
  ['the id of the quote', ({ id }) => id],
  ['of another quote', async () => (await own.quote(await own.book())).body.token],
  [
    'used already',
    async ({ id, token }) => {
      expect((await own.confirm(id, token)).status).toBe(202);
      return token;
    },
  ],
  [
    'over, by the clock of the database',
    async ({ id, token }) => {
      await own.expire(id, 1);
      return token;
    },
  ],
];

describe('a token that is none is refused in one way, and takes nothing', () => {
  test.each(WRONG)('%s', async (_what, make) => {
    const guessed = await own.confirm('quote_aaaaaaaaaaaaaaaaaaaaaaaaaa', 'A'.repeat(43));
    const quoted: Quoted = (await own.quote(await own.book())).body;
    const token = await make(quoted);
    const before = await own.tokens();
    const reply = await own.confirm(quoted.id, token);
    expect(saidBy(reply)).toEqual(saidBy(guessed));
    expect(saidBy(reply)).toMatchObject({ status: 404, code: 'not-found' });
    expect(await own.tokens()).toBe(before);
  });

  test('of another account, although it is right', async () => {
    const booking = await own.book();
    const { id, token } = (await own.quote(booking)).body;
    const foreign = await own.confirm(id, token, { as: own.api.keys.stranger });
    const unknown = await own.confirm('quote_aaaaaaaaaaaaaaaaaaaaaaaaaa', token);
    expect(saidBy(foreign)).toEqual(saidBy(unknown));
    expect((await own.read(id, { as: own.api.keys.stranger })).status).toBe(404);
    expect((await own.confirm(id, token)).status).toBe(202);
  });

  test.each([
    ['GET', 405],
    ['HEAD', 405],
    ['DELETE', 405],
    ['PUT', 405],
  ])(
    'row 24: %s at the address of a confirmation is %i, and takes nothing',
    async (method, status) => {
      const { id, token } = (await own.quote(await own.book())).body;
      const path = `/v1/cancellations/${id}/confirm?token=${token}`;
      const reply = await ask(own.api, path, {
        method,
        ...(method === 'PUT' ? { body: { token } } : {}),
      });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('allow')).toBe('POST');
      expect((await own.confirm(id, token)).status).toBe(202);
    },
  );

  test.each([
    ['no token', {}],
    ['a number', { token: 1 }],
    ['an empty one', { token: '' }],
    ['one without an end', { token: 'A'.repeat(201) }],
    ['something beside it', { token: 'A', booking: 'B' }],
  ])('400: %s', async (_what, body) => {
    const { id } = (await own.quote(await own.book())).body;
    expect(await own.confirm(id, '', { body })).toMatchObject({
      status: 400,
      body: { code: 'body-invalid' },
    });
  });
});

type Moved = readonly [code: string, status: number, when: string, (run: string) => Promise<void>];

const MOVED: readonly Moved[] = [
  [
    'changed-since-you-looked',
    412,
    'another step has begun',
    (run) => begin(own.api, own.sagas, run, 'flight'),
  ],
  [
    'changed-since-you-looked',
    412,
    'it has turned back by itself',
    (run) => append(own.api.database, own.sagas, run, { kind: 'unwinding', because: 'deadline' }),
  ],
  [
    'pivot-in-progress',
    409,
    'the ticket is being issued',
    async (run) => {
      await doSteps(own.api, own.sagas, run, 'flight', 'hotel');
      await begin(own.api, own.sagas, run, 'ticket');
    },
  ],
  [
    'past-pivot',
    409,
    'it is confirmed',
    (run) => doSteps(own.api, own.sagas, run, 'flight', 'hotel', 'ticket'),
  ],
];

describe('a booking that has gone on since its quote', () => {
  test.each(MOVED)('is not cancelled, %s %i: %s', async (code, status, _when, goOn) => {
    const booking = await own.book();
    await doSteps(own.api, own.sagas, booking, 'charge');
    const { id, token } = (await own.quote(booking)).body;
    await goOn(booking);
    const lines = await own.count('journal', booking);
    const before = await own.tokens();
    const reply = await own.confirm(id, token, { key: `moved-${booking}` });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(await own.count('journal', booking)).toBe(lines);
    expect(await own.count('interventions', booking)).toBe(0);
    expect(await own.tokens()).toBe(before);
    expect((await own.read(id)).body.state).toBe('quoted');
  });

  test('a quote that nobody confirms is over by itself', async () => {
    const { id } = (await own.quote(await own.book())).body;
    await own.expire(id, 1);
    expect((await own.read(id)).body.state).toBe('expired');
  });
});
