import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/engine/ids.js';
import { ask, startApi, type Ask, type TestApi } from '../support/api.js';
import { append, stepEnded, stepUnknown } from '../support/append.js';
import { templateOf } from '../support/held-to-description.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

// `ask` throws where the description does not allow an answer. Here each operation is asked for
// each of its answers, so far as a request alone can bring it about.

const sagas = tripSagas();
const NOBODY = 'bk_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const BROWSER = { accept: 'text/html' };
const EMPTY = { key: 'cancel-1', body: {} };
const REASON = 'The customer called.';
const VERDICT = {
  verdict: 'happened',
  value: { id: 'rs_9' },
  evidence: 'The hotel read reservation rs_9 to us.',
  reason: 'They have it.',
};

let api: TestApi;
let run: string;
let caseId: string;
/** What stands in a question for what is known later. */
let names: Readonly<Record<string, string>> = {};
const seen = new Set<string>();
let paths: Record<string, Record<string, { responses: object }>>;

beforeAll(async () => {
  api = await startApi(tripApi, sagas);
  ({ paths } = (await ask(api, '/openapi.json', { as: null })).body);
});
afterAll(() => api.close());

/** A trip that has failed and in which nothing will happen any more: its record has five lines. */
async function bookFailed(): Promise<string> {
  const { id } = (await ask(api, '/v1/bookings', { key: 'book-9', body: trip() })).body;
  const declined = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
  const unwinding = { kind: 'unwinding', because: 'refused' } as const;
  await append(api.database, sagas, id, ...declined, unwinding);
  await append(api.database, sagas, id, { kind: 'finished', as: 'undone' });
  return id;
}

/** A trip whose room may or may not be reserved. */
async function bookTrip(): Promise<void> {
  run = (await ask(api, '/v1/bookings', { key: 'book-0', body: trip() })).body.id;
  const ended = await bookFailed();
  const [fresh, quoted] = await quoteTrip('quoted-1');
  const [moved, stale] = await quoteTrip('quoted-2');
  await append(api.database, sagas, moved, { kind: 'unwinding', because: 'deadline' });
  caseId = newId('case');
  const of = { step: 'hotel', direction: 'do' } as const;
  const facts = [
    ...stepEnded('charge', { outcome: 'done' }),
    ...stepEnded('flight', { outcome: 'done' }),
    ...stepUnknown('hotel'),
    { kind: 'case-opened', case: caseId, problem: 'unknown-outcome', ...of } as const,
  ];
  await append(api.database, sagas, run, ...facts);
  names = {
    ...{ CASE: caseId, RUN: run, ENDED: ended, FRESH: fresh },
    ...{ QUOTE: quoted.id, TOKEN: quoted.token, STALE: stale.id, OLD: stale.token },
  };
}

/** A trip of which nothing has begun, and the quote of its cancel. */
async function quoteTrip(key: string): Promise<[string, { id: string; token: string }]> {
  const { id } = (await ask(api, '/v1/bookings', { key: `${key}-book`, body: trip() })).body;
  return [id, (await ask(api, `/v1/bookings/${id}/cancellations`, { key, body: {} })).body];
}

const named = (text: string) =>
  text.replaceAll(/\b[A-Z]{3,}\b/g, (word) => names[word] ?? word).replace('CASEX', `${caseId}X`);

const booking = (key: string, changes: object = {}) => ({ key, body: trip({ ...changes }) });
const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } });
const verdict = (key: string, more: object = {}) => ({ key, body: { ...VERDICT, ...more } });
const action = (key: string, body: object) => ({ key, body: { reason: REASON, ...body } });
const badJson = { key: 'bad-1', body: '{' };
const deep = { key: 'bad-2', body: '['.repeat(40) + ']'.repeat(40) };
const large = { key: 'bad-3', body: ' '.repeat(200_000) };
const css = { ...booking('bad-4'), headers: { 'content-type': 'text/css' } };

type Row = readonly [status: number, asked: string, question?: Ask];

const customer: readonly Row[] = [
  [202, 'POST /v1/bookings', booking('book-1', { reference: 'cart-1', metadata: { a: 'é' } })],
  [202, 'POST /v1/bookings', booking('book-1', { reference: 'cart-1', metadata: { a: 'é' } })],
  [409, 'POST /v1/bookings', booking('book-2', { reference: 'cart-1' })],
  [422, 'POST /v1/bookings', booking('book-1')],
  [400, 'POST /v1/bookings', { body: trip() }],
  [400, 'POST /v1/bookings', booking('k'.repeat(256))],
  [400, 'POST /v1/bookings', booking('bad-0', { hotel: 1 })],
  [400, 'POST /v1/bookings', badJson],
  [400, 'POST /v1/bookings', deep],
  [413, 'POST /v1/bookings', large],
  [415, 'POST /v1/bookings', css],
  [401, 'POST /v1/bookings', { as: null }],
  [200, 'GET /v1/bookings'],
  [200, 'GET /v1/bookings?limit=1&status=pending'],
  [400, 'GET /v1/bookings?limit=101'],
  [406, 'GET /v1/bookings', { headers: BROWSER }],
  [200, 'HEAD /v1/bookings'],
  [405, 'DELETE /v1/bookings'],
  [200, 'GET /v1/bookings/RUN'],
  [200, 'GET /v1/bookings/RUN', { headers: { prefer: 'wait=0' } }],
  [404, `GET /v1/bookings/${NOBODY}`],
  [414, `GET /v1/bookings/${'a'.repeat(200)}`],
  [400, 'GET /v1/bookings/%zz'],
  [200, 'GET /v1/events?limit=1'],
  [400, 'GET /v1/events?cursor=never'],
  [406, 'GET /v1/events', { headers: BROWSER }],
  [200, 'GET /v1/bookings/ENDED/events'],
  [204, 'GET /v1/bookings/ENDED/events', { headers: { 'last-event-id': '5' } }],
  [400, 'GET /v1/bookings/RUN/events', { headers: { 'last-event-id': 'never' } }],
  [406, 'GET /v1/bookings/RUN/events', { headers: { accept: 'application/json' } }],
  [404, `GET /v1/bookings/${NOBODY}/events`],
  [201, 'POST /v1/bookings/FRESH/cancellations', { ...EMPTY, key: 'quote-1' }],
  [201, 'POST /v1/bookings/FRESH/cancellations', { ...EMPTY, key: 'quote-1' }],
  [503, 'POST /v1/bookings/RUN/cancellations', { ...EMPTY, key: 'quote-2' }],
  [409, 'POST /v1/bookings/ENDED/cancellations', { ...EMPTY, key: 'quote-3' }],
  [404, `POST /v1/bookings/${NOBODY}/cancellations`, { ...EMPTY, key: 'quote-4' }],
  [200, 'GET /v1/cancellations/QUOTE'],
  [404, `GET /v1/cancellations/${NOBODY}`],
  [405, 'GET /v1/cancellations/QUOTE/confirm'],
  [400, 'POST /v1/cancellations/QUOTE/confirm', { ...EMPTY, key: 'confirm-1' }],
  [404, 'POST /v1/cancellations/QUOTE/confirm', { key: 'confirm-2', body: { token: 'none' } }],
  [202, 'POST /v1/cancellations/QUOTE/confirm', { key: 'confirm-3', body: { token: 'TOKEN' } }],
  [412, 'POST /v1/cancellations/STALE/confirm', { key: 'confirm-4', body: { token: 'OLD' } }],
  [202, 'POST /v1/bookings/RUN/cancel', EMPTY],
  [202, 'POST /v1/bookings/RUN/cancel', EMPTY],
  [404, `POST /v1/bookings/${NOBODY}/cancel`, { ...EMPTY, key: 'cancel-2' }],
  [403, 'GET /v1/runs'],
  [403, 'GET /v1/cases/CASE'],
  [404, 'GET /v1/nothing'],
];

const operator: readonly Row[] = [
  [200, 'GET /v1/runs'],
  [200, 'GET /v1/runs?problem=any&silent_since=2030-01-01T00:00:00Z'],
  [400, 'GET /v1/runs?silent_since=yesterday'],
  [200, 'GET /v1/runs/RUN'],
  [404, `GET /v1/runs/${NOBODY}`],
  [200, 'POST /v1/runs/RUN/actions', action('act-1', { action: 'cancel', dry_run: true })],
  [409, 'POST /v1/runs/RUN/actions', action('act-2', { action: 'retry-now' })],
  [200, 'POST /v1/runs/RUN/actions', action('act-3', { action: 'cancel' })],
  [400, 'POST /v1/runs/RUN/actions', action('act-4', { action: 'explode' })],
  [200, 'GET /v1/cases?state=open'],
  [200, 'GET /v1/cases/CASE'],
  [404, 'GET /v1/cases/CASEX'],
  [428, 'POST /v1/cases/CASE/verdict', verdict('decide-1')],
  [412, 'POST /v1/cases/CASE/verdict', { ...verdict('decide-2'), ...ifMatch('"9"') }],
  [200, 'POST /v1/cases/CASE/verdict', { ...verdict('d-3', { dry_run: true }), ...ifMatch('"1"') }],
  [200, 'POST /v1/cases/CASE/verdict', { ...verdict('decide-4'), ...ifMatch('"1"') }],
  [200, 'POST /v1/cases/CASE/verdict', { ...verdict('decide-4'), ...ifMatch('"1"') }],
  [409, 'POST /v1/cases/CASE/verdict', { ...verdict('decide-5'), ...ifMatch('"1"') }],
];

const anybody: readonly Row[] = [
  [200, 'GET /healthz'],
  [405, 'POST /healthz', { body: {} }],
  [200, 'GET /readyz'],
  [200, 'GET /problems'],
  [200, 'GET /problems', { headers: BROWSER }],
  [200, 'GET /problems/forbidden'],
  [200, 'GET /problems/forbidden', { headers: BROWSER }],
  [404, 'GET /problems/nothing'],
];

async function expectHeld(as: string | null, [status, asked, question = {}]: Row): Promise<void> {
  const [method = '', path = ''] = asked.split(' ');
  const real = named(path);
  const { body } = question;
  const told = typeof body === 'object' ? { body: JSON.parse(named(JSON.stringify(body))) } : {};
  const reply = await ask(api, real, { as, method, ...question, ...told });
  expect([asked, reply.status, reply.text.slice(0, 200)]).toEqual([
    asked,
    status,
    expect.anything(),
  ]);
  const template = templateOf(Object.keys(paths), real.split('?')[0] ?? '');
  seen.add(`${method.toLowerCase()} ${template} ${status}`);
}

const said = (rows: readonly Row[]) =>
  rows.map((row) => [row[0], row[1].slice(0, 60), row] as const);

test.each(said(anybody))('anybody is answered %i as is described, for %s', (_status, _to, row) =>
  expectHeld(null, row),
);

describe('with a booking', () => {
  beforeAll(bookTrip);

  test.each(said(customer))('a customer is answered %i as is described, for %s', (_s, _to, row) =>
    expectHeld(api.keys.customer, row),
  );

  test.each(said(operator))('an operator is answered %i as is described, for %s', (_s, _to, row) =>
    expectHeld(api.keys.operator, row),
  );
});

test('every operation was seen to do what it is for', () => {
  const wanted = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .map((status) => `${method} ${path} ${status}`),
    ),
  );
  expect(wanted.filter((answer) => !seen.has(answer))).toEqual([]);
});
