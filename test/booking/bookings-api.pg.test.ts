import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { away } from '../support/fake-temporal.js';
import { append, stepEnded } from '../support/append.js';
import { ask, startApi, type Reply, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

const sagas = tripSagas();
const LIMIT = { limitMs: 10_000 };

let api: TestApi;
let keys = 0;
beforeAll(async () => {
  api = await startApi(tripApi, sagas);
});
beforeEach(() => {
  api.temporal.before = () => undefined;
});
afterAll(() => api.close());

const newKey = () => `key-${(keys += 1)}`;

function book(changes: object = {}, key = newKey(), as?: string): Promise<Reply> {
  const body = trip({ ...changes });
  return ask(api, '/v1/bookings', { key, body, ...(as === undefined ? {} : { as }) });
}

/** As after the database was restored from an older copy, and the memory of it has passed. */
async function forgetClaims(): Promise<void> {
  await api.database.query('delete from claims');
  api.recent.clear();
}

async function count(table: string): Promise<number> {
  const { rows } = await api.database.query(`select count(*)::integer as count from ${table}`);
  return rows[0].count;
}

describe('a booking that is asked for', () => {
  test('is accepted as pending, and found where Location says', async () => {
    const reply = await book({ reference: 'cart-1', metadata: { campaign: 'spring' } });
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({
      object: 'booking',
      status: 'pending',
      reference: 'cart-1',
      total: { amount: 240_000, currency: 'INR' },
      metadata: { campaign: 'spring' },
    });
    expect(reply.body.id).toMatch(/^bk_[a-z2-7]{26}$/);
    const found = await ask(api, reply.headers.get('location') ?? '');
    expect(found.status).toBe(200);
    expect(found.body).toEqual(reply.body);
    expect(found.headers.get('vary')).toBe('Prefer, Origin');
  });

  test('has the id of its request, which a record that has forgotten it gives again', async () => {
    const first = await book({}, 'forgotten');
    await forgetClaims();
    for (const table of ['outbox', 'events', 'journal']) {
      await api.database.query(`alter table ${table} disable trigger user`);
      await api.database.query(`delete from ${table} where run = $1::text`, [first.body.id]);
      await api.database.query(`alter table ${table} enable trigger user`);
    }
    await api.database.query(`delete from runs where id = $1::text`, [first.body.id]);
    expect((await book({}, 'forgotten')).body.id).toBe(first.body.id);
    const others = [await book({}), await book({ hotel: { offer: 'H-1', nights: 1 } }, 'other')];
    expect(new Set([first, ...others].map(({ body }) => body.id)).size).toBe(3);
  });

  test('gets an id of its own when its key is used again, once that was free', async () => {
    const first = await book({}, 'again');
    await forgetClaims();
    const second = await book({}, 'again');
    expect(second.status).toBe(202);
    expect(second.body.id).toMatch(/^bk_[a-z2-7]{26}$/);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await book({}, 'again')).body).toEqual(second.body);
  });

  test('is started in Temporal at once, and its start is marked sent', async () => {
    const key = newKey();
    const { body } = await book({}, key);
    await book({}, key);
    const sent = await pollUntil(async () => {
      const { rows } = await api.database.query(
        `select sent_at from outbox where run = $1::text and kind = 'start'`,
        [body.id],
      );
      return rows[0].sent_at !== null;
    }, LIMIT);
    expect(sent).toBe(true);
    expect(api.temporal.asked.get(body.id)).toEqual(['start']);
  });

  test('is accepted while Temporal is down, and left to the relay', async () => {
    api.temporal.before = (call) => {
      throw away(call);
    };
    const reply = await book();
    expect(reply.status).toBe(202);
    const warned = await pollUntil(
      () => api.log.lines.some(({ fields }) => fields.run === reply.body.id),
      LIMIT,
    );
    expect(warned).toBe(true);
    const { rows } = await api.database.query(
      `select kind, sent_at from outbox where run = $1::text`,
      [reply.body.id],
    );
    expect(rows).toEqual([{ kind: 'start', sent_at: null }]);
  });

  test('is answered although Temporal does not answer at all', async () => {
    api.temporal.before = () => new Promise(() => undefined);
    expect((await book()).status).toBe(202);
  });
});

describe('the same key again', () => {
  test('answers the same bytes, whichever way it is spelled and the body is written', async () => {
    const key = newKey();
    const first = await book({}, key);
    const { payment, ...rest } = trip();
    const reordered = `  ${JSON.stringify({ ...rest, payment })}\n`;
    for (const [spelled, body] of [
      [key, JSON.stringify(trip())],
      [`"${key}"`, reordered],
    ]) {
      const again = await ask(api, '/v1/bookings', { key: spelled ?? '', body });
      expect(again.status).toBe(202);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('idempotency-expires')).toBe(
        first.headers.get('idempotency-expires'),
      );
      expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull();
  });

  test('with another body is refused, and with another member order it is not', async () => {
    const key = newKey();
    await book({}, key);
    const other = await book({ hotel: { offer: 'H-204', nights: 3 } }, key);
    expect(other.body).toMatchObject({ code: 'key-reused', status: 422 });
  });

  test('of another account is another key', async () => {
    const key = newKey();
    const [mine, theirs] = [await book({}, key), await book({}, key, api.keys.stranger)];
    expect([mine.status, theirs.status]).toEqual([202, 202]);
    expect(mine.body.id).not.toBe(theirs.body.id);
  });

  test('at another route is refused', async () => {
    const key = newKey();
    const { body } = await book({}, key);
    const cancel = await ask(api, `/v1/bookings/${body.id}/cancel`, { key, method: 'POST' });
    expect(cancel.body.code).toBe('key-reused');
    const after = await ask(api, `/v1/bookings/${body.id}`);
    expect(after.body.status).toBe('pending');
  });

  test('answers the first answer also when the run has ended', async () => {
    const key = newKey();
    const first = await book({}, key);
    const { id } = first.body;
    await append(
      api.database,
      sagas,
      id,
      ...stepEnded('charge', { outcome: 'refused', code: 'x' }),
    );
    await append(api.database, sagas, id, { kind: 'unwinding', because: 'refused' });
    await append(api.database, sagas, id, { kind: 'finished', as: 'undone' });
    expect((await ask(api, `/v1/bookings/${id}`)).body.status).toBe('failed');
    expect((await book({}, key)).text).toBe(first.text);
  });

  test('twenty times at once makes one run; the others hear it or are told to wait', async () => {
    const before = await count('runs');
    const key = newKey();
    const all = await Promise.all(Array.from({ length: 20 }, () => book({}, key)));
    const fresh = all.filter(
      ({ status, headers }) => status === 202 && headers.get('idempotent-replayed') === null,
    );
    expect(fresh).toHaveLength(1);
    for (const reply of all) {
      if (reply.status === 202) expect(reply.text).toBe(fresh[0]?.text);
      else expect(reply.body).toMatchObject({ code: 'in-progress', status: 409 });
      if (reply.status === 409) expect(reply.headers.get('retry-after')).toBe('1');
    }
    expect(await count('runs')).toBe(before + 1);
    expect((await book({}, key)).text).toBe(fresh[0]?.text);
  });
});

describe('a reference', () => {
  test('names one living booking; another key hears which', async () => {
    const first = await book({ reference: 'cart-81' });
    const second = await book({ reference: 'cart-81' });
    expect(second.body).toMatchObject({
      code: 'reference-in-use',
      status: 409,
      in_use_by: first.body.id,
    });
    expect((await book({ reference: 'cart-81' }, newKey(), api.keys.stranger)).status).toBe(202);
  });

  test('is free again when its booking has failed', async () => {
    const { body } = await book({ reference: 'cart-82' });
    await append(
      api.database,
      sagas,
      body.id,
      ...stepEnded('charge', { outcome: 'refused', code: 'card_declined' }),
      { kind: 'unwinding', because: 'refused' },
      { kind: 'finished', as: 'undone' },
    );
    expect((await book({ reference: 'cart-82' })).status).toBe(202);
  });

  test('that many ask for at once is given to one', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => book({ reference: 'cart-83' })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([202, ...Array(9).fill(409)]);
  });
});
