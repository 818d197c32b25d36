import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRun } from '../../src/engine/runs/read-runs.store.js';
import { ask, startApi, type TestApi } from '../support/api.js';
import { forgetPredicates } from '../support/forgotten-predicates.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

let api: TestApi;
/** Of acme. */
let theirs = '';
let forgotten: ReadonlySet<string>;

beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
  theirs = (await ask(api, '/v1/bookings', { key: 'a', body: trip({ reference: 'cart-1' }) })).body
    .id;
  forgotten = forgetPredicates(api.database);
});
afterAll(() => api.close());

const asStranger = (path: string, question: object = {}) =>
  ask(api, path, { as: api.keys.stranger, ...question });

test('without its predicate and without the lock a statement shows what is another’s', async () => {
  const seen = await readRun(api.database, api.sealer, { id: theirs, account: 'zenith' });
  expect(seen?.account).toBe('acme');
});

test.each([
  ['the booking', () => asStranger(`/v1/bookings/${theirs}`), 404],
  ['its stream', () => asStranger(`/v1/bookings/${theirs}/events`), 404],
  ['its cancel', () => asStranger(`/v1/bookings/${theirs}/cancel`, { key: 'b' }), 404],
])(
  'though every statement forgets whose rows it is about, %s is not there',
  async (_what, asking, status) => {
    expect((await asking()).status).toBe(status);
  },
);

test.each([['/v1/bookings'], ['/v1/bookings?reference=cart-1'], ['/v1/events']])(
  'though every statement forgets whose rows it is about, %s has nothing of another’s',
  async (path) => {
    expect((await asStranger(path)).body.data).toEqual([]);
  },
);

test('though every statement forgets whose rows it is about, a reference is one’s own', async () => {
  const body = trip({ reference: 'cart-1' });
  const ours = await asStranger('/v1/bookings', { key: 'c', body });
  expect(ours.status).toBe(202);
  const again = await asStranger('/v1/bookings', { key: 'd', body });
  expect(again).toMatchObject({ status: 409, body: { in_use_by: ours.body.id } });
  expect((await asStranger('/v1/bookings')).body.data).toHaveLength(1);
});

test('nothing of all that has changed the booking', async () => {
  const { rows } = await api.database.query(
    `select last_seq, cancel_requested_at from runs where id = $1::text`,
    [theirs],
  );
  expect(rows).toEqual([{ last_seq: 1, cancel_requested_at: null }]);
});

test('each statement that is one account’s has forgotten it', () => {
  // The first of each that is no function.
  const table = /\bfrom (?:\(select \* from )?(\w+)\b(?!\()/;
  const tables = [...forgotten].map((text) => table.exec(text)?.[1]);
  expect(new Set(tables)).toEqual(new Set(['runs', 'events']));
  expect(forgotten.size).toBeGreaterThanOrEqual(5);
});
