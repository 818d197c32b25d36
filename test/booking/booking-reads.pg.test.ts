import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { append, stepEnded, stepUnknown } from '../support/append.js';
import { ask, startApi, type Reply, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

const sagas = tripSagas();
const NOBODY = 'bk_aaaaaaaaaaaaaaaaaaaaaaaaaa';

let api: TestApi;
let keys = 0;
beforeAll(async () => {
  api = await startApi(tripApi, sagas);
});
afterAll(() => api.close());

async function book(changes: object = {}, as?: string): Promise<string> {
  const key = `key-${(keys += 1)}`;
  const body = trip({ ...changes });
  const reply = await ask(api, '/v1/bookings', { key, body, ...(as === undefined ? {} : { as }) });
  return reply.body.id;
}

const cancel = (id: string, key = `key-${(keys += 1)}`, as = api.keys.customer) =>
  ask(api, `/v1/bookings/${id}/cancel`, { key, as, method: 'POST' });

function withoutRequest({ body }: Reply): unknown {
  const { request_id: _request, ...rest } = body;
  return rest;
}

describe('a booking of somebody else', () => {
  test.each([
    ['read', (id: string) => ask(api, `/v1/bookings/${id}`)],
    [
      'waited for',
      (id: string) => ask(api, `/v1/bookings/${id}`, { headers: { prefer: 'wait=5' } }),
    ],
    ['cancelled', (id: string) => cancel(id)],
  ])('is %s in the same words as one that never was', async (_what, request) => {
    const theirs = await book({}, api.keys.stranger);
    const [foreign, unknown] = [await request(theirs), await request(NOBODY)];
    expect(foreign.status).toBe(404);
    expect(withoutRequest(foreign)).toEqual(withoutRequest(unknown));
    const after = await ask(api, `/v1/bookings/${theirs}`, { as: api.keys.stranger });
    expect(after.body.status).toBe('pending');
  });

  test.each(['bk_1', 'BK_AAAAAAAAAAAAAAAAAAAAAAAAAA', 'bk_%00', "bk_' or 1=1", '1'])(
    'whatever the id looks like: %s',
    async (id) => {
      const reply = await ask(api, `/v1/bookings/${encodeURIComponent(id)}`);
      expect(reply.body).toMatchObject({ code: 'not-found', status: 404 });
    },
  );
});

describe('Prefer: wait', () => {
  const read = (id: string, prefer: string) =>
    ask(api, `/v1/bookings/${id}`, { headers: { prefer } });

  test('holds the answer until the booking is settled', async () => {
    const id = await book();
    const held = read(id, 'wait=20');
    await append(api.database, sagas, id, ...stepUnknown('hotel'));
    await append(api.database, sagas, id, {
      kind: 'case-opened',
      case: 'case_aaaaaaaaaaaaaaaaaaaaaaaaaa',
      problem: 'unknown-outcome',
      step: 'hotel',
      direction: 'do',
    });
    const reply = await held;
    expect(reply.body.status).toBe('in_review');
    expect(reply.headers.get('preference-applied')).toBe('wait=20');
  });

  test('answers with what there is when the time is over', async () => {
    const started = performance.now();
    const reply = await read(await book(), 'wait=1');
    expect(reply.body.status).toBe('pending');
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  test('does not hold the answer of a booking that is settled', async () => {
    const id = await book();
    const refused = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
    await append(api.database, sagas, id, ...refused, { kind: 'unwinding', because: 'refused' });
    await append(api.database, sagas, id, { kind: 'finished', as: 'undone' });
    const started = performance.now();
    const reply = await read(id, 'wait=30');
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(reply.body).toMatchObject({
      status: 'failed',
      failure: { code: 'card_declined', step: 'charge' },
    });
  });

  test('is capped and said so, and is ignored when it cannot be read', async () => {
    const id = await book();
    const capped = read(id, 'wait=600');
    await cancel(id);
    await append(api.database, sagas, id, { kind: 'unwinding', because: 'cancel' });
    await append(api.database, sagas, id, { kind: 'finished', as: 'cancelled' });
    expect((await capped).headers.get('preference-applied')).toBe('wait=30');
    expect((await capped).body.status).toBe('cancelled');
    expect((await read(id, 'wait=long')).headers.get('preference-applied')).toBeNull();
  });
});

describe('the list of bookings', () => {
  test('is of one account, newest first, page by page without a gap', async () => {
    const fresh = api.keys.operator;
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      made.unshift(await book({ reference: `page-${index}` }, fresh));
    }
    const seen: string[] = [];
    let path = '/v1/bookings?limit=3';
    for (let pages = 0; pages < 40 && path !== ''; pages += 1) {
      const { body } = await ask(api, path, { as: fresh });
      seen.push(...body.data.map((booking: { id: string }) => booking.id));
      expect(body.has_more).toBe(body.next_cursor !== null);
      path = body.has_more ? `/v1/bookings?limit=3&cursor=${body.next_cursor}` : '';
    }
    expect(seen.slice(0, 7)).toEqual(made);
    expect(new Set(seen).size).toBe(seen.length);
    const { rows } = await api.database.query(`select id from runs where account = 'acme'`);
    expect(seen.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  test('is filtered by status and by reference', async () => {
    const id = await book({ reference: 'of-its-own' });
    await cancel(id);
    const by = async (query: string) => (await ask(api, `/v1/bookings?${query}`)).body.data;
    expect(await by('reference=of-its-own')).toEqual([expect.objectContaining({ id })]);
    expect(await by('reference=of-its-own&status=cancelling')).toHaveLength(1);
    expect(await by('reference=of-its-own&status=confirmed')).toEqual([]);
  });

  test('has cursors that are good for the same list of the same account only', async () => {
    await book();
    await book();
    const { body } = await ask(api, '/v1/bookings?limit=1');
    const cursor = body.next_cursor;
    expect((await ask(api, `/v1/bookings?limit=1&cursor=${cursor}`)).status).toBe(200);
    for (const [query, as] of [
      [`cursor=${cursor}&status=pending`, api.keys.customer],
      [`cursor=${cursor}`, api.keys.stranger],
      [`cursor=${cursor}x`, api.keys.customer],
    ]) {
      const reply = await ask(api, `/v1/bookings?${query}`, { as: as ?? '' });
      expect(reply.body).toMatchObject({ code: 'query-invalid', status: 400 });
    }
  });

  test.each(['status=done', 'limit=0', 'limit=101', 'limit=-1', 'reference=', 'order=asc'])(
    'refuses the query %s',
    async (query) => {
      const reply = await ask(api, `/v1/bookings?${query}`);
      expect(reply.body).toMatchObject({ code: 'query-invalid', status: 400 });
      expect(reply.body.errors[0].pointer).toBe(`/${query.split('=')[0]}`);
    },
  );
});

describe('a cancel', () => {
  const done = (...steps: readonly string[]) =>
    steps.flatMap((step) => stepEnded(step, { outcome: 'done' }));
  const pivot = { step: 'ticket', direction: 'do', attempt: 1 } as const;

  test('before the pivot is a promise, is repeated alike, and tells Temporal', async () => {
    const id = await book();
    const key = 'cancel it';
    const first = await cancel(id, key);
    expect(first.status).toBe(202);
    expect(first.body).toMatchObject({
      status: 'cancelling',
      cancellation: { completed_at: null },
    });
    expect((await cancel(id, key)).text).toBe(first.text);
    expect((await cancel(id)).status).toBe(202);
    const { rows } = await api.database.query(
      `select kind from outbox where run = $1::text and kind = 'cancel'`,
      [id],
    );
    expect(rows).toHaveLength(1);
    const { rows: done } = await api.database.query(
      `select action, who from interventions where run = $1::text`,
      [id],
    );
    expect(done).toEqual([{ action: 'cancel', who: expect.stringMatching(/^acme\/[0-9a-f]+$/) }]);
  });

  test('takes an empty object, and nothing else, as its body', async () => {
    const id = await book();
    const path = `/v1/bookings/${id}/cancel`;
    const wrong = await ask(api, path, { key: 'c1', body: { reason: 'x' } });
    expect(wrong.body).toMatchObject({ code: 'body-invalid' });
    expect((await ask(api, path, { key: 'c1', body: {} })).status).toBe(202);
    expect((await cancel(id, 'c1')).headers.get('idempotent-replayed')).toBe('true');
  });

  test('of a booking that unwinds already changes nothing', async () => {
    const id = await book();
    const refused = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
    await append(api.database, sagas, id, ...refused, { kind: 'unwinding', because: 'refused' });
    const reply = await cancel(id);
    expect(reply.status).toBe(202);
    expect(reply.body.status).toBe('failing');
  });

  test('while the pivot is in progress is refused, and its key stays free', async () => {
    const id = await book();
    await append(api.database, sagas, id, ...done('charge', 'flight', 'hotel'));
    await append(api.database, sagas, id, { kind: 'begun', ...pivot });
    const key = 'cancel during the pivot';
    const early = await cancel(id, key);
    expect(early.body).toMatchObject({ code: 'pivot-in-progress', status: 409 });
    expect(early.headers.get('retry-after')).toBe('1');
    const refusedPivot = { outcome: 'refused', code: 'no_seat' } as const;
    await append(api.database, sagas, id, { kind: 'ended', ...pivot, ...refusedPivot });
    expect((await cancel(id, key)).status).toBe(202);
  });

  test('after the pivot is refused: the booking is confirmed', async () => {
    const id = await book();
    await append(api.database, sagas, id, ...done('charge', 'flight', 'hotel', 'ticket'));
    expect((await cancel(id)).body).toMatchObject({
      code: 'past-pivot',
      status: 409,
      booking_status: 'confirmed',
    });
    expect((await ask(api, `/v1/bookings/${id}`)).body.status).toBe('confirmed');
  });

  test('of a booking that ended otherwise is refused', async () => {
    const id = await book();
    const refused = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
    await append(api.database, sagas, id, ...refused, { kind: 'unwinding', because: 'refused' });
    await append(api.database, sagas, id, { kind: 'finished', as: 'undone' });
    expect((await cancel(id)).body).toMatchObject({
      code: 'already-ended',
      booking_status: 'failed',
    });
  });
});
