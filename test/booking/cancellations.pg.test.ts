import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { append, stepEnded } from '../support/append.js';
import { ask, startApi } from '../support/api.js';
import { allThere, type AskableProviders } from '../support/askable-providers.js';
import { begin, doSteps, endStep, UNKNOWN } from '../support/begun-trip.js';
import { saidBy, startQuotingApi, type QuotingApi } from '../support/quoting-api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

// What a cancel would come to, told to a customer before it is done: over HTTP, by a real record,
// with providers that can be asked.

let own: QuotingApi;

beforeAll(async () => {
  own = await startQuotingApi();
});
beforeEach(() => {
  own.providers.decide = allThere;
});
afterAll(() => own.close());

const GIVEN_BACK = { step: 'charge', what: 'The payment is given back.', only_if: null };
const SEAT = { step: 'flight', what: 'The seat is released.', only_if: null };
const ROOM = { step: 'hotel', what: 'The room is released.', only_if: null };
const IF = { only_if: 'it-took-effect' };
const ALL = { amount: 240_000, currency: 'INR' };
const NOTHING = { amount: 0, currency: 'INR' };

type Stage = readonly [
  when: string,
  make: (run: string) => Promise<unknown>,
  expected: Readonly<Record<string, unknown>>,
];

const STAGES: readonly Stage[] = [
  [
    'nothing has begun',
    async () => undefined,
    { undoes: [], refund: NOTHING, ends_as: 'cancelled' },
  ],
  [
    'the money was taken',
    (run) => doSteps(own.api, own.sagas, run, 'charge'),
    { undoes: [GIVEN_BACK], refund: ALL, ends_as: 'cancelled' },
  ],
  [
    'seat and room are held',
    (run) => doSteps(own.api, own.sagas, run, 'charge', 'flight', 'hotel'),
    { undoes: [GIVEN_BACK, SEAT, ROOM], refund: ALL, ends_as: 'cancelled' },
  ],
  [
    'the answer about the money was lost, and payments has the charge',
    async (run) => {
      await begin(own.api, own.sagas, run, 'charge');
      await endStep(own.api, own.sagas, run, 'charge', UNKNOWN);
    },
    { undoes: [GIVEN_BACK], refund: ALL, ends_as: 'cancelled' },
  ],
  [
    'the room is being reserved, which nobody can be asked about',
    async (run) => {
      await doSteps(own.api, own.sagas, run, 'charge');
      await begin(own.api, own.sagas, run, 'hotel');
    },
    { undoes: [GIVEN_BACK, { ...ROOM, ...IF }], refund: ALL, ends_as: 'cancelled' },
  ],
  [
    'a person has to find out about the room',
    async (run) => {
      await doSteps(own.api, own.sagas, run, 'charge', 'flight');
      await begin(own.api, own.sagas, run, 'hotel');
      await endStep(own.api, own.sagas, run, 'hotel', UNKNOWN);
    },
    {
      undoes: [GIVEN_BACK, SEAT],
      refund: ALL,
      ends_as: null,
      cannot_be_undone: [
        { step: 'hotel', why: 'Whether it took effect is not known; a person finds out.' },
      ],
    },
  ],
  [
    'it has turned back already, and fails anyway',
    async (run) => {
      await doSteps(own.api, own.sagas, run, 'charge');
      await begin(own.api, own.sagas, run, 'hotel');
      await endStep(own.api, own.sagas, run, 'hotel', { outcome: 'refused', code: 'sold_out' });
      await append(own.api.database, own.sagas, run, { kind: 'unwinding', because: 'refused' });
    },
    { undoes: [GIVEN_BACK], refund: ALL, ends_as: 'failed' },
  ],
  [
    'the money is given back already',
    async (run) => {
      await doSteps(own.api, own.sagas, run, 'charge');
      await append(own.api.database, own.sagas, run, { kind: 'cancel-accepted', by: 'customer' });
      await append(own.api.database, own.sagas, run, { kind: 'unwinding', because: 'cancel' });
      const undone = stepEnded('charge', { outcome: 'done' }, 'undo');
      await append(own.api.database, own.sagas, run, ...undone);
    },
    { undoes: [GIVEN_BACK], refund: ALL, ends_as: 'cancelled' },
  ],
];

describe('a cancel that is asked for is quoted', () => {
  test.each(STAGES)('when %s', async (_when, make, expected) => {
    const booking = await own.book();
    await make(booking);
    const before = await own.count('journal', booking);
    const reply = await own.quote(booking);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      object: 'cancellation',
      booking,
      state: 'quoted',
      fees: NOTHING,
      cannot_be_undone: [],
      ...expected,
    });
    expect(reply.body.id).toMatch(/^quote_[a-z2-7]{26}$/);
    expect(reply.body.token).toMatch(/^[\w-]{43}$/);
    const { created_at: made, expires_at: over } = reply.body;
    expect(Date.parse(over) - Date.parse(made)).toBe(15 * 60_000);
    const found = await ask(own.api, reply.headers.get('location') ?? '');
    expect(found.body).toEqual({ ...reply.body, token: null });
    expect(await own.count('journal', booking)).toBe(before);
  });

  test('providers are only asked, each about its own step under its own key', async () => {
    const booking = await own.book();
    await doSteps(own.api, own.sagas, booking, 'charge', 'flight', 'hotel');
    const seen = own.providers.questions.length;
    await own.quote(booking);
    const questions = own.providers.questions
      .slice(seen)
      .toSorted((one, other) => one.path.localeCompare(other.path));
    expect(questions).toEqual([
      { method: 'GET', path: '/flights/orders', reference: `${booking}:flight` },
      { method: 'GET', path: '/payments/charges', reference: `${booking}:charge` },
    ]);
  });

  test('a call that is on its way is waited for, for a moment', async () => {
    const booking = await own.book();
    await begin(own.api, own.sagas, booking, 'charge');
    const seen = own.providers.questions.length;
    own.providers.decide = (question) =>
      own.providers.questions.length > seen + 2 ? allThere(question) : [];
    expect((await own.quote(booking)).body).toMatchObject({ refund: ALL, undoes: [GIVEN_BACK] });
  });

  test('not there is believed of what cannot land any more', async () => {
    const quick = tripSagas(own.providers.url, 0);
    const other = await startApi(tripApi, quick);
    try {
      const { id } = (await ask(other, '/v1/bookings', { key: 'k', body: trip() })).body;
      await begin(other, quick, id, 'charge', 1);
      await endStep(other, quick, id, 'charge', UNKNOWN);
      own.providers.decide = () => [];
      const reply = await ask(other, `/v1/bookings/${id}/cancellations`, { key: 'q' });
      expect(reply.body).toMatchObject({ refund: NOTHING, undoes: [] });
    } finally {
      await other.close();
    }
  });

  test('row 24: the same key gets the same quote, with its token, which lies nowhere in clear', async () => {
    const booking = await own.book();
    const first = await own.quote(booking, { key: 'one-quote' });
    own.api.recent.clear();
    const again = await own.quote(booking, { key: 'one-quote' });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const secret = first.body.token;
    for (const table of ['quotes', 'tokens', 'claims', 'claims_at_work']) {
      const rows = await own.api.database.query(`select kept::text as kept from ${table} as kept`);
      expect(rows.rows.filter(({ kept }) => kept.includes(secret))).toEqual([]);
    }
  });

  test('another key gets another quote, and either can be confirmed', async () => {
    const booking = await own.book();
    const [one, other] = [(await own.quote(booking)).body, (await own.quote(booking)).body];
    expect(one.id).not.toBe(other.id);
    expect((await own.confirm(other.id, other.token)).status).toBe(202);
    expect((await own.confirm(one.id, one.token)).status).toBe(202);
    expect(await own.count('interventions', booking)).toBe(1);
  });
});

type Refusal = readonly [
  code: string,
  status: number,
  when: string,
  make: (run: string) => Promise<unknown>,
];

const REFUSALS: readonly Refusal[] = [
  [
    'pivot-in-progress',
    409,
    'the ticket is being issued',
    async (run) => {
      await doSteps(own.api, own.sagas, run, 'charge', 'flight', 'hotel');
      await begin(own.api, own.sagas, run, 'ticket');
    },
  ],
  [
    'past-pivot',
    409,
    'the ticket is issued',
    (run) => doSteps(own.api, own.sagas, run, 'charge', 'flight', 'hotel', 'ticket'),
  ],
  [
    'already-ended',
    409,
    'it has failed',
    async (run) => {
      await append(own.api.database, own.sagas, run, { kind: 'unwinding', because: 'deadline' });
      await append(own.api.database, own.sagas, run, { kind: 'finished', as: 'undone' });
    },
  ],
  [
    'already-ended',
    409,
    'it is cancelled',
    async (run) => {
      await append(own.api.database, own.sagas, run, { kind: 'cancel-accepted', by: 'customer' });
      await append(own.api.database, own.sagas, run, { kind: 'unwinding', because: 'cancel' });
      await append(own.api.database, own.sagas, run, { kind: 'finished', as: 'cancelled' });
    },
  ],
];

type Away = readonly [when: string, decide: AskableProviders['decide']];

const AWAY: readonly Away[] = [
  ['a provider fails', () => 500],
  ['a provider is shedding', () => 503],
  ['our key is rejected', () => 401],
  ['a provider never answers', () => null],
  ['what was confirmed is not there any more', () => []],
  [
    'two are there',
    (question) => [...allThere(question), ...allThere({ ...question, reference: 'another' })],
  ],
  [
    'it holds another amount',
    (question) => allThere(question).map((one) => ({ ...one, amount: 1, status: 'held' })),
  ],
];

describe('nothing is quoted, and the key stays free', () => {
  test.each(REFUSALS)('%s %i: %s', async (code, status, _when, make) => {
    const booking = await own.book();
    await make(booking);
    const reply = await own.quote(booking, { key: `refused-${booking}` });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(await own.count('quotes', booking)).toBe(0);
    expect((await own.api.database.query('select from claims_at_work')).rowCount).toBe(0);
  });

  test.each(AWAY)('unavailable 503: %s', async (_when, decide) => {
    const booking = await own.book();
    await doSteps(own.api, own.sagas, booking, 'charge', 'flight');
    own.providers.decide = decide;
    const reply = await own.quote(booking, { key: `away-${booking}` });
    expect([reply.status, reply.body.code]).toEqual([503, 'unavailable']);
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await own.count('quotes', booking)).toBe(0);
    expect((await own.api.database.query('select from claims_at_work')).rowCount).toBe(0);
    own.providers.decide = allThere;
    expect((await own.quote(booking, { key: `away-${booking}` })).status).toBe(201);
  });

  test('unavailable 503: the money is on its way for longer than anybody waits', async () => {
    const booking = await own.book();
    await begin(own.api, own.sagas, booking, 'charge');
    own.providers.decide = () => [];
    expect(await own.quote(booking)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  test('unknown and foreign bookings are not found, alike', async () => {
    const booking = await own.book();
    const foreign = await own.quote(booking, { as: own.api.keys.stranger });
    const unknown = await own.quote('bk_aaaaaaaaaaaaaaaaaaaaaaaaaa', { as: own.api.keys.stranger });
    expect(foreign.status).toBe(404);
    expect(saidBy(foreign)).toEqual(saidBy(unknown));
    expect(await own.quote(booking, { as: null })).toMatchObject({ status: 401 });
  });
});
