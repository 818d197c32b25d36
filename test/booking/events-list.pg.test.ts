import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKey, ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import type { Queryable, Tx } from '../../src/engine/database/database.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { listEvents } from '../../src/engine/events/events.store.js';
import { appendFacts } from '../../src/engine/journal/run-change.store.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import type { Fact } from '../../src/engine/saga/journal.js';
import { append, stepEnded, stepUnknown } from '../support/append.js';
import { ask, startApi, type Reply, type TestApi } from '../support/api.js';
import { startOwnPostgres, type OwnPostgres } from '../support/processes.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';
import type { EventTold } from '../support/watcher.js';

const sagas = tripSagas();
const CASE = 'case_aaaaaaaaaaaaaaaaaaaaaaaaaa';

let postgres: OwnPostgres;
let api: TestApi;
let keys = 0;
// The list waits for whatever transaction is open on the server: here for ours alone.
beforeAll(async () => {
  postgres = await startOwnPostgres();
  await runMigrations(postgres.url);
  api = await startApi(tripApi, sagas, {
    place: { url: postgres.url, drop: () => postgres.stop() },
  });
  await api.database.query('alter system set autovacuum = off');
  await api.database.query('select pg_reload_conf()');
});
afterAll(() => api.close());

async function book(changes: object = {}, as = api.keys.customer): Promise<string> {
  const key = `key-${(keys += 1)}`;
  return (await ask(api, '/v1/bookings', { key, as, body: trip({ ...changes }) })).body.id;
}

const list = (query = '', as = api.keys.customer): Promise<Reply> =>
  ask(api, `/v1/events?${query}`, { as });

/** Where the list ends now, so that a test sees its own events only. */
async function theEnd(as = api.keys.customer): Promise<string> {
  for (let cursor = ''; ;) {
    const { body } = await list(`limit=100${cursor && `&cursor=${cursor}`}`, as);
    cursor = body.next_cursor;
    if (!body.has_more) return cursor;
  }
}

const shown = ({ body }: Reply) =>
  (body.data as readonly EventTold[]).map(({ type, data }) => `${data.id} ${type}`);

const declined = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
const failing = [...declined, { kind: 'unwinding', because: 'refused' } as const];
const finish = (as: 'completed' | 'undone') => ({ kind: 'finished', as }) as const;

describe('the list of events', () => {
  test('has one for the acceptance and one for each change of status, the first one first', async () => {
    await book();
    const cursor = await theEnd();
    const id = await book({ reference: 'cart-7' });
    await append(api.database, sagas, id, ...declined);
    await append(api.database, sagas, id, { kind: 'unwinding', because: 'refused' });
    await append(api.database, sagas, id, finish('undone'));
    const reply = await list(`cursor=${cursor}`);
    expect(shown(reply)).toEqual([
      `${id} booking.created`,
      `${id} booking.failing`,
      `${id} booking.failed`,
    ]);
    const [created, , failed] = reply.body.data;
    const common = { object: 'event', api_version: '2026-12-01', created_at: expect.any(String) };
    const booking = { object: 'booking', id, reference: 'cart-7', step: null };
    expect(created).toEqual({
      ...common,
      id: expect.stringMatching(/^evt_[a-z2-7]{26}$/),
      type: 'booking.created',
      data: { ...booking, status: 'pending', failure: null },
    });
    expect(failed.data).toEqual({
      ...booking,
      status: 'failed',
      failure: { code: 'card_declined', step: 'charge', message: expect.any(String) },
    });
  });

  test('tells each of two changes that one decision brings', async () => {
    const id = await book();
    const cursor = await theEnd();
    await append(
      ...([api.database, sagas, id, ...declined] as const),
      { kind: 'unwinding', because: 'refused' },
      finish('undone'),
    );
    expect(shown(await list(`cursor=${cursor}`))).toEqual([
      `${id} booking.failing`,
      `${id} booking.failed`,
    ]);
  });

  test('tells that a review is over, and what had happened keeps its words', async () => {
    const cursor = await theEnd();
    const id = await book();
    const of = { step: 'hotel', direction: 'do', case: CASE } as const;
    const problem = 'unknown-outcome';
    await append(api.database, sagas, id, ...stepUnknown('hotel'), {
      ...{ kind: 'case-opened', problem },
      ...of,
    });
    const before = await list(`cursor=${cursor}`);
    await append(api.database, sagas, id, { kind: 'verdict', verdict: 'happened', ...of });
    const after = await list(`cursor=${cursor}`);
    expect(shown(after)).toEqual([
      `${id} booking.created`,
      `${id} booking.in_review`,
      `${id} booking.pending`,
    ]);
    expect(after.body.data.slice(0, 2)).toEqual(before.body.data);
  });

  test('is of one account', async () => {
    const cursor = await theEnd();
    const theirs = await book({}, api.keys.stranger);
    expect(shown(await list(`cursor=${cursor}`))).toEqual([]);
    expect(shown(await list('limit=100', api.keys.stranger))).toContain(
      `${theirs} booking.created`,
    );
  });

  test('goes on page by page, and from the last page once more has happened', async () => {
    let cursor = await theEnd();
    const ids = [await book(), await book(), await book()];
    const pages: (readonly string[])[] = [];
    for (const more of [true, false]) {
      const reply = await list(`limit=2&cursor=${cursor}`);
      pages.push(shown(reply));
      expect(reply.body.has_more).toBe(more);
      cursor = reply.body.next_cursor;
    }
    expect(pages.flat()).toEqual(ids.map((id) => `${id} booking.created`));
    const empty = await list(`cursor=${cursor}`);
    expect(empty.body).toEqual({ data: [], has_more: false, next_cursor: cursor });
    const later = await book();
    expect(shown(await list(`cursor=${cursor}`))).toEqual([`${later} booking.created`]);
  });

  test('has no cursor where nothing has ever happened', async () => {
    const { body } = await list('', await quietKey());
    expect(body).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  test.each([
    ['of another account', async () => `cursor=${await theEnd()}`, () => api.keys.stranger],
    ['of another list', bookingsCursor, () => api.keys.customer],
    ['with a number that is too long', async () => forged('9'.repeat(19)), () => api.keys.customer],
    ['with a word for a number', async () => forged('now'), () => api.keys.customer],
  ])('refuses a cursor %s', async (_what, query, as) => {
    const reply = await list(await query(), as());
    expect(reply.body).toMatchObject({ code: 'query-invalid', errors: [{ pointer: '/cursor' }] });
  });
});

async function quietKey(): Promise<string> {
  await ensureAccount(api.database, { id: 'quiet', name: 'Quiet' });
  return (await createKey(api.database, { account: 'quiet', role: 'customer' })).key;
}

async function bookingsCursor(): Promise<string> {
  await book();
  await book();
  return `cursor=${(await ask(api, '/v1/bookings?limit=1')).body.next_cursor}`;
}

async function forged(xid: string): Promise<string> {
  const [, , name] = JSON.parse(Buffer.from(await theEnd(), 'base64url').toString());
  return `cursor=${Buffer.from(JSON.stringify([xid, '1', name])).toString('base64url')}`;
}

describe('whatever commits in which order', () => {
  let others: readonly OpenTransaction[] = [];
  afterEach(async () => {
    for (const other of others) await other.end();
    others = [];
  });
  const begin = async (): Promise<OpenTransaction> => {
    const other = await openTransaction();
    others = [...others, other];
    return other;
  };

  test('an event that took its place first and commits second is not skipped', async () => {
    const [first, second] = [await book(), await book()];
    const cursor = await theEnd();
    const slow = await begin();
    await slow.append(first, ...failing);
    await append(api.database, sagas, second, ...failing);
    const between = await list(`cursor=${cursor}`);
    await slow.end();
    const after = await list(`cursor=${between.body.next_cursor}`);
    expect([shown(between), shown(after)]).toEqual([
      [],
      [first, second].map((id) => `${id} booking.failing`),
    ]);
  });

  test('nor is one that took its place first in a transaction that began second', async () => {
    const [first, second] = [await book(), await book()];
    const cursor = await theEnd();
    const [early, late] = [await begin(), await begin()];
    await late.append(first, ...failing);
    await early.append(second, ...failing);
    await early.end();
    const between = await list(`cursor=${cursor}`);
    await late.end();
    const after = await list(`cursor=${between.body.next_cursor}`);
    expect([shown(between), shown(after)]).toEqual([
      [`${second} booking.failing`],
      [`${first} booking.failing`],
    ]);
  });

  test('somebody else’s open transaction delays what comes after it, and loses nothing', async () => {
    const cursor = await theEnd();
    const other = await begin();
    const ids = [await book(), await book()];
    const held = await list(`cursor=${cursor}`);
    expect(held.body).toEqual({ data: [], has_more: false, next_cursor: cursor });
    await other.end();
    expect(shown(await list(`cursor=${cursor}`))).toEqual(ids.map((id) => `${id} booking.created`));
  });

  test('the events of one booking stay in their order, however old a transaction is', async () => {
    const id = await book();
    const cursor = await theEnd();
    const old = await begin();
    await append(api.database, sagas, id, ...failing);
    await old.append(id, finish('undone'));
    await old.end();
    expect(shown(await list(`cursor=${cursor}`))).toEqual([
      `${id} booking.failing`,
      `${id} booking.failed`,
    ]);
  });
});

interface OpenTransaction {
  append(run: string, ...facts: readonly Fact[]): Promise<void>;
  /** Commits it. */
  end(): Promise<void>;
}

/** A transaction that has its number already, as one that has written something. */
async function openTransaction(): Promise<OpenTransaction> {
  const tx = (await api.database.connect()) as Tx;
  await tx.query('begin');
  await tx.query('select pg_current_xact_id()');
  let isOpen = true;
  return {
    append: async (run, ...facts) => {
      await appendFacts(tx, await openRun(tx, sagas, run), facts);
    },
    end: async () => {
      if (!isOpen) return;
      isOpen = false;
      await tx.query('commit');
      tx.release();
    },
  };
}

test('what docs/production.md says of another server brings the events back', async () => {
  const page = await readFile('docs/production.md', 'utf8');
  const [, advice = ''] = /```sql\n(\s*alter table events [^`]*)```/.exec(page) ?? [];
  const before = await theEnd();
  const id = await book();
  await append(api.database, sagas, id, ...failing);
  const told = [`${id} booking.created`, `${id} booking.failing`];
  expect(shown(await list(`cursor=${before}`))).toEqual(told);
  await api.database.query(`
    alter table events disable trigger user;
    update events set xid = (xid::text::bigint + 1000000000)::text::xid8;
    update runs set event_xid = (event_xid::text::bigint + 1000000000)::text::xid8;
    alter table events enable trigger user`);
  expect(shown(await list())).toEqual([]);
  await api.database.query(advice);
  await append(api.database, sagas, id, finish('undone'));
  const all: string[] = [];
  for (let query = 'limit=100'; query !== '';) {
    const reply = await list(query);
    all.push(...shown(reply));
    query = reply.body.has_more ? `limit=100&cursor=${reply.body.next_cursor}` : '';
  }
  expect(all.slice(-3)).toEqual([...told, `${id} booking.failed`]);
});

test('an event can be neither changed nor removed', async () => {
  await book();
  for (const change of ['update events set seq = 2', 'delete from events', 'truncate events']) {
    await expect(api.database.query(change), change).rejects.toThrow('append-only');
  }
});

test('a page is read by its index, however much the account and others have', async () => {
  const id = await book();
  await api.database.query(
    `insert into events (xid, account, run, seq, saga, status, created_at)
     select '3'::xid8, case when n % 2 = 0 then 'acme' else 'zenith' end, $1::text, 1,
            'book-trip', 'confirmed', now() from generate_series(1, 40000) as n`,
    [id],
  );
  await api.database.query('analyze events');
  let plan = '';
  const explained = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await api.database.query(`explain (format json) ${text}`, values);
      plan = JSON.stringify(rows);
      return { rows: [] };
    },
  };
  const page = { after: { xid: '3', position: '100' }, limit: 20 };
  const filter = { account: 'acme', saga: 'book-trip' };
  await listEvents(explained as unknown as Queryable, filter, page);
  const ofThePage = plan.slice(plan.lastIndexOf('"Limit"'), plan.indexOf('events_pkey'));
  expect(ofThePage).toContain('Index');
  expect(ofThePage).not.toContain('"Sort"');
  expect(plan).toMatch(/row\(xid, \\"position\\"\) > row\(/i);
});
