import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { openDatabase, type Database, type Tx } from '../../src/engine/database/database.js';
import { Problem } from '../../src/engine/http/problem.js';
import type { Claim } from '../../src/engine/idempotency/claim.js';
import type { SharedWork } from '../../src/engine/idempotency/claims.store.js';
import { GroupCommit } from '../../src/engine/idempotency/group-commit.js';
import { gateOf } from '../support/idempotency-gate.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

// What one request has its effect in is shared with others, and nobody notices.

let home: TestDatabase;
let database: Database;
beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'groups test', connections: 20 });
  for (const id of ['acme', 'zenith']) await ensureAccount(database, { id, name: id });
  await database.query(
    `create table effects (what text not null check (what <> 'poison'), account text not null,
                           xid xid8 not null default pg_current_xact_id());
     grant select, insert on effects to recourse_customer`,
  );
});
beforeEach(() => database.query('truncate claims, effects'));
afterAll(async () => {
  await database.end();
  await home.drop();
});

/** Writes the words it is asked for; `refused` it refuses, and `poison` the table does not take. */
const writing: SharedWork<string, string> = {
  look: (_tx, account) => Promise.resolve(account),
  work: (_tx, account, words) => {
    const taken = words.filter((word) => word !== 'refused');
    const write = (tx: Tx) =>
      tx.query(`insert into effects (what, account) select unnest($1::text[]), $2::text`, [
        taken,
        account,
      ]);
    return Promise.resolve({
      result: words.map((word) =>
        word === 'refused' ? new Problem('past-pivot') : { status: 202, body: { word } },
      ),
      last: taken.length === 0 ? [] : [write],
    });
  },
};

const claim = (key: string, changes: Partial<Claim> = {}): Claim => ({
  account: 'acme',
  key,
  fingerprint: Buffer.alloc(32, 1),
  ...changes,
});

async function effects() {
  const { rows } = await database.query<{ what: string; account: string; xid: string }>(
    'select what, account, xid from effects order by what',
  );
  return rows;
}

/** How each ended: what it was answered, or the code it was refused with. */
async function ends(
  asked: readonly Promise<{ answer: { body: Uint8Array }; replayed: boolean }>[],
) {
  const all = await Promise.allSettled(asked);
  return all.map((one) =>
    one.status === 'fulfilled'
      ? `${Buffer.from(one.value.answer.body).toString()}${one.value.replayed ? ' again' : ''}`
      : (one.reason.code ?? one.reason.message),
  );
}

const one = { most: 64, atOnce: 1, inAll: 1 };

test('what comes while a transaction lasts goes together in the next', async () => {
  const groups = new GroupCommit(gateOf(database), writing, one);
  const words = Array.from({ length: 40 }, (_, n) => `word ${n + 10}`);
  expect(await ends(words.map((word) => groups.do(claim(word), word)))).toEqual(
    words.map((word) => JSON.stringify({ word })),
  );
  const written = await effects();
  expect(written.map(({ what }) => what)).toEqual(words);
  expect(new Set(written.map(({ xid }) => xid)).size).toBe(2);
});

test('a group has so many at most, and is of one account', async () => {
  const groups = new GroupCommit(gateOf(database), writing, { most: 5, atOnce: 1, inAll: 1 });
  const asked = Array.from({ length: 22 }, (_, n) => {
    const account = n % 2 === 0 ? 'acme' : 'zenith';
    return groups.do(claim(`${n}`, { account }), `${n}`);
  });
  await Promise.all(asked);
  const sizes = new Map<string, number>();
  for (const { xid, account } of await effects()) {
    const name = `${xid} ${account}`;
    sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  expect(Math.max(...sizes.values())).toBe(5);
  const transactions = [...sizes.keys()].map((name) => name.split(' ')[0]);
  expect(new Set(transactions).size).toBe(sizes.size);
});

test('an account whose transactions are stuck keeps no other from its effect', async () => {
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(7)`);
  const stuck: SharedWork<string, string> = {
    ...writing,
    async look(tx, account) {
      if (account === 'acme') await tx.query('select pg_advisory_xact_lock(7)');
      return account;
    },
  };
  const groups = new GroupCommit(gateOf(database), stuck);
  const waiting = ['a', 'b', 'c'].map((word) => groups.do(claim(word), word));
  const other = groups.do(claim('z', { account: 'zenith' }), 'z');
  expect(await ends([other])).toEqual(['{"word":"z"}']);
  expect((await effects()).map(({ what }) => what)).toEqual(['z']);
  await holder.query('rollback');
  holder.release();
  expect(await ends(waiting)).toEqual(['a', 'b', 'c'].map((word) => JSON.stringify({ word })));
});

test('one that is refused keeps no other from its effect, and its key is free', async () => {
  const groups = new GroupCommit(gateOf(database), writing, one);
  const words = ['first', 'a', 'refused', 'b'];
  expect(await ends(words.map((word) => groups.do(claim(word), word)))).toEqual([
    '{"word":"first"}',
    '{"word":"a"}',
    'past-pivot',
    '{"word":"b"}',
  ]);
  expect(await ends([groups.do(claim('refused'), 'better')])).toEqual(['{"word":"better"}']);
  expect((await effects()).map(({ what }) => what)).toEqual(['a', 'b', 'better', 'first']);
});

test('one that makes its group fail costs the others nothing', async () => {
  const groups = new GroupCommit(gateOf(database), writing, one);
  const words = ['first', 'a', 'poison', 'b'];
  const ended = await ends(words.map((word) => groups.do(claim(word), word)));
  expect(ended).toEqual(['{"word":"first"}', '{"word":"a"}', '23514', '{"word":"b"}']);
  expect((await effects()).map(({ what }) => what)).toEqual(['a', 'b', 'first']);
});

test('two bodies under one key are never in one group: the second is refused', async () => {
  const groups = new GroupCommit(gateOf(database), writing, one);
  const other = claim('k', { fingerprint: Buffer.alloc(32, 2) });
  const asked = [
    groups.do(claim('first'), 'first'),
    groups.do(claim('k'), 'mine'),
    groups.do(other, 'other'),
  ];
  expect(await ends(asked)).toEqual(['{"word":"first"}', '{"word":"mine"}', 'key-reused']);
  expect((await effects()).map(({ what }) => what)).toEqual(['first', 'mine']);
});

test('a key that another process has is refused alone, and one that it has answered replayed', async () => {
  const there = new GroupCommit(gateOf(database), writing, one);
  await there.do(claim('answered'), 'there');
  const holder = await database.connect();
  await holder.query('begin');
  const { claimId } = await import('../../src/engine/idempotency/claim-id.js');
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('claim:' || $1::text, 0))`, [
    claimId(claim('held')),
  ]);
  const here = new GroupCommit(gateOf(database), writing, one);
  const words = ['first', 'held', 'answered', 'free'];
  expect(await ends(words.map((word) => here.do(claim(word), word)))).toEqual([
    '{"word":"first"}',
    'in-progress',
    '{"word":"there"} again',
    '{"word":"free"}',
  ]);
  await holder.query('rollback');
  holder.release();
});

test('a database that is away is said to everybody of a group, at once', async () => {
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'groups test' });
  const groups = new GroupCommit(gateOf(nowhere), writing, one);
  const words = ['first', 'a', 'b'];
  expect(await ends(words.map((word) => groups.do(claim(word), word)))).toEqual(
    words.map(() => 'ECONNREFUSED'),
  );
  await nowhere.end();
});
