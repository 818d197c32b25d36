import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { CLAIM_WINDOW_HOURS } from '../../src/engine/idempotency/claim-days.store.js';
import {
  idempotently,
  type Claim,
  type Effect,
  type GateParts,
} from '../../src/engine/idempotency/claims.store.js';
import { gateOf } from '../support/idempotency-gate.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

let home: TestDatabase;
let database: Database;
let gate: GateParts;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'claims test', connections: 30 });
  gate = gateOf(database);
  for (const id of ['acme', 'zenith']) await ensureAccount(database, { id, name: id });
  await database.query(`
    create table effects (what text not null);
    grant select, insert on effects to recourse_customer`);
});
beforeEach(async () => {
  gate.recent.clear();
  await database.query('truncate claims, effects');
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const claim = (changes: Partial<Claim> = {}): Claim => ({
  account: 'acme',
  key: 'k',
  fingerprint: Buffer.alloc(32, 1),
  ...changes,
});

/** Does something that can be counted, and answers what it did. */
function act(what: string, effect: Partial<Effect> = {}, of = claim()) {
  return idempotently(gate, of, async (tx) => {
    await tx.query('insert into effects (what) values ($1::text)', [what]);
    return { status: 202, body: { z: what, a: 'é' }, ...effect };
  });
}

async function effects(): Promise<readonly string[]> {
  const { rows } = await database.query<{ what: string }>('select what from effects order by 1');
  return rows.map((row) => row.what);
}

test('the first request has its effect, every other one hears the same bytes', async () => {
  const first = await act('one', { location: '/there', etag: '"7"' });
  const second = await act('two');
  expect(await effects()).toEqual(['one']);
  expect([first.replayed, second.replayed]).toEqual([false, true]);
  expect(second.answer.body).toEqual(Buffer.from('{"z":"one","a":"é"}'));
  expect(second.answer.body).toEqual(first.answer.body);
  expect(second.answer.status).toBe(202);
  expect(second.answer.headers).toEqual({
    ...first.answer.headers,
    'Idempotent-Replayed': 'true',
  });
  expect(first.answer.headers).toMatchObject({ Location: '/there', ETag: '"7"' });
});

test('an answer says when its key ends, 168 hours from now', async () => {
  const { answer } = await act('one');
  const end = Date.parse(answer.headers['Idempotency-Expires'] ?? '');
  expect(Math.abs(end - Date.now() - CLAIM_WINDOW_HOURS * 3_600_000)).toBeLessThan(10_000);
});

test('another request under the key is refused and has no effect', async () => {
  await act('one');
  const other = act('two', {}, claim({ fingerprint: Buffer.alloc(32, 2) }));
  await expect(other).rejects.toMatchObject({ code: 'key-reused', status: 422 });
  expect(await effects()).toEqual(['one']);
});

test('the same key of another account is another key', async () => {
  const fingerprint = Buffer.alloc(32, 2);
  await act('one');
  await act('two', {}, claim({ account: 'zenith', fingerprint }));
  expect(await effects()).toEqual(['one', 'two']);
});

test('work that throws leaves nothing, and the key is free', async () => {
  const failing = idempotently(gate, claim(), async (tx) => {
    await tx.query(`insert into effects (what) values ('lost')`);
    throw new RangeError('no');
  });
  await expect(failing).rejects.toThrow(RangeError);
  expect(await effects()).toEqual([]);
  const other = await act('two', {}, claim({ fingerprint: Buffer.alloc(32, 2) }));
  expect(other.replayed).toBe(false);
});

test('of twenty at once one has its effect, the others hear it or are told to wait', async () => {
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => act(`${index}`)));
  expect(await effects()).toHaveLength(1);
  const fresh = all.filter((one) => one.status === 'fulfilled' && !one.value.replayed);
  expect(fresh).toHaveLength(1);
  for (const one of all) {
    if (one.status === 'fulfilled') continue;
    expect(one.reason).toMatchObject({
      code: 'in-progress',
      details: { headers: { 'Retry-After': '1' } },
    });
  }
});

test('a thousand at once in one process need one connection, and nobody waits in vain', async () => {
  const narrow = openDatabase({ url: home.url, name: 'claims test', connections: 1 });
  const of = gateOf(narrow);
  const all = await Promise.allSettled(
    Array.from({ length: 1_000 }, () =>
      idempotently(of, claim(), async (tx) => {
        await tx.query(`insert into effects (what) values ('one'), (pg_sleep(0.2)::text)`);
        return { status: 202, body: {} };
      }),
    ),
  );
  await narrow.end();
  expect(await effects()).toEqual(['', 'one']);
  const told = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
  expect(told).toEqual(Array.from({ length: 999 }, () => 'in-progress'));
});

test('a thousand who repeat what is in no memory hear it from one look', async () => {
  await act('one');
  const narrow = openDatabase({ url: home.url, name: 'claims test', connections: 1 });
  const of = gateOf(narrow);
  const all = await Promise.all(
    Array.from({ length: 1_000 }, () =>
      idempotently(of, claim(), () => Promise.reject(new Error('done twice'))),
    ),
  );
  await narrow.end();
  expect(new Set(all.map(({ answer }) => Buffer.from(answer.body).toString()))).toEqual(
    new Set(['{"z":"one","a":"é"}']),
  );
  expect(all.every(({ replayed }) => replayed)).toBe(true);
});

test('while one is at work the next is told at once to come again', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const first = idempotently(gate, claim(), async () => {
    begin();
    await held;
    return { status: 200, body: {} };
  });
  await begun;
  await expect(act('two')).rejects.toMatchObject({ code: 'in-progress' });
  release();
  expect((await first).replayed).toBe(false);
  expect((await act('three')).replayed).toBe(true);
});

test('what was answered and the key itself cannot be read in the table', async () => {
  await act('one', { location: '/there' }, claim({ key: 'a key that says much' }));
  const { rows } = await database.query('select claims::text as row from claims');
  const row: string = rows[0].row;
  expect(row).toContain('/there');
  expect(row).not.toContain('a key that says much');
  expect(row).not.toContain(Buffer.from('{"z":"one"').toString('hex'));
});

test('an effect and its claim are never seen without each other', async () => {
  const seen: boolean[] = [];
  await idempotently(gate, claim(), async (tx) => {
    await tx.query(`insert into effects (what) values ('one')`);
    const other = await database.query(
      'select (select count(*) from effects) + (select count(*) from claims) as seen',
    );
    seen.push(other.rows[0].seen === '0');
    return { status: 200, body: {} };
  });
  const both = await inTransaction(database, (tx) =>
    tx.query('select (select count(*) from effects), (select count(*) from claims) as claims'),
  );
  expect(seen).toEqual([true]);
  expect(both.rows).toEqual([{ count: '1', claims: '1' }]);
});
