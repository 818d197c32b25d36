import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, ensureAccount, revokeKey } from '../../src/engine/accounts/accounts.store.js';
import { KEY_LIFE_MS, KeyRing } from '../../src/engine/accounts/key-ring.process.js';
import { endedKeys, noteUse } from '../../src/engine/accounts/key-use.store.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

const LIMIT = { limitMs: 10_000 };

let home: TestDatabase;
let database: Database;
let accounts = 0;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'key ring test' });
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

async function newKey(lifeMs: number | null = null) {
  const account = `acme_${(accounts += 1)}`;
  await ensureAccount(database, { id: account, name: 'Acme' });
  return { account, ...(await createKey(database, { account, role: 'customer', lifeMs })) };
}

/** A ring whose clocks stand still until they are put on, and that counts its looks. */
function ring(everyMs?: number) {
  const clocks = { monotonicMs: 0, wallMs: 0 };
  const asked: string[] = [];
  const counting = {
    query: (text: string, values: unknown[]) => {
      asked.push(text);
      return database.query(text, values);
    },
  } as unknown as Database;
  return { clocks, asked, keys: new KeyRing(counting, () => ({ ...clocks }), everyMs) };
}

test('a valid key is looked up once in 20 s, by either clock', async () => {
  const { key, account } = await newKey();
  const { keys, asked, clocks } = ring();
  expect(await keys.callerOf(key)).toMatchObject({ account, role: 'customer' });
  clocks.monotonicMs = KEY_LIFE_MS - 1;
  clocks.wallMs = -3_600_000;
  await keys.callerOf(key);
  expect(asked).toHaveLength(1);
  clocks.wallMs = KEY_LIFE_MS;
  await keys.callerOf(key);
  expect(asked).toHaveLength(2);
  clocks.monotonicMs += KEY_LIFE_MS;
  await keys.callerOf(key);
  expect(asked).toHaveLength(3);
  keys.close();
});

test('a revoked key is out after 20 s at the latest', async () => {
  const { key, id } = await newKey();
  const { keys, clocks } = ring();
  await keys.callerOf(key);
  await revokeKey(database, id);
  clocks.monotonicMs = KEY_LIFE_MS;
  expect(await keys.callerOf(key)).toBeNull();
  keys.close();
});

test('a key is not remembered beyond its end', async () => {
  const { key } = await newKey(60_000);
  const { id } = await newKey();
  const { keys, clocks, asked } = ring(3_600_000);
  await keys.callerOf(key);
  clocks.monotonicMs = 59_000;
  await keys.callerOf(key);
  expect(asked).toHaveLength(1);
  clocks.monotonicMs = 60_000;
  await keys.callerOf(key);
  expect([asked.length, id]).toEqual([2, expect.any(String)]);
  keys.close();
});

test('a key with another secret is looked up although its id is known, and none', async () => {
  const { key, id } = await newKey();
  const { keys, asked } = ring();
  await keys.callerOf(key);
  expect(await keys.callerOf(`rk_live_${id}_${'a'.repeat(43)}`)).toBeNull();
  expect(asked).toHaveLength(2);
  expect(await keys.callerOf(key)).not.toBeNull();
  expect(asked).toHaveLength(2);
  keys.close();
});

test('that a key is none is not remembered, and what has not its shape is not looked up', async () => {
  const { keys, asked } = ring();
  for (let round = 1; round <= 2; round += 1) {
    expect(await keys.callerOf(`rk_live_none_${'a'.repeat(43)}`)).toBeNull();
    expect(await keys.callerOf('nothing')).toBeNull();
  }
  expect(asked).toHaveLength(2);
  keys.close();
});

test('a crowd under one key is one look', async () => {
  const { key, account } = await newKey();
  const { keys, asked } = ring();
  const callers = await Promise.all(Array.from({ length: 50 }, () => keys.callerOf(key)));
  expect(new Set(callers.map((caller) => caller?.account))).toEqual(new Set([account]));
  expect(asked).toHaveLength(1);
  keys.close();
});

test('a lost connection has all of it forgotten, what is being asked too', async () => {
  const { key } = await newKey();
  const { keys, asked } = ring();
  const coming = keys.callerOf(key);
  keys.clear();
  await coming;
  await keys.callerOf(key);
  expect(asked).toHaveLength(2);
  keys.close();
});

test('a stay ends when its key is revoked, and no other one does', async () => {
  const [gone, kept] = [await newKey(), await newKey()];
  const { keys, asked } = ring(50);
  const stays = [keys.stay(gone.id), keys.stay(gone.id), keys.stay(kept.id)];
  await revokeKey(database, gone.id);
  await pollUntil(() => stays[0]?.ended.aborted === true, LIMIT);
  expect(stays.map(({ ended }) => ended.aborted)).toEqual([true, true, false]);
  expect(asked.every((text) => text.includes('unnest'))).toBe(true);
  stays.forEach(({ leave }) => leave());
  keys.close();
});

test('a stay ends when its key expires', async () => {
  const { id } = await newKey(30);
  const { keys } = ring(50);
  const { ended, leave } = keys.stay(id);
  expect(await pollUntil(() => ended.aborted, LIMIT)).toBe(true);
  leave();
  keys.close();
});

test('that a key was used is written down beside the requests, once a minute', async () => {
  const { key, id } = await newKey();
  const { keys } = ring(50);
  await keys.callerOf(key);
  const used = async () => {
    const { rows } = await database.query<{ at: Date | null }>(
      `select last_used_at as at from api_keys where id = $1::text`,
      [id],
    );
    return rows[0]?.at ?? null;
  };
  const first = await pollUntil(async () => (await used()) ?? undefined, LIMIT);
  expect(first).toBeInstanceOf(Date);
  await noteUse(database, [id]);
  expect(await used()).toEqual(first);
  await database.query(
    `update api_keys set last_used_at = now() - interval '1 minute' where id = $1::text`,
    [id],
  );
  await noteUse(database, [id, 'nokey']);
  expect((await used())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Infinity);
  keys.close();
});

test('a use that somebody else writes down is not waited for', async () => {
  const { id } = await newKey();
  const other = await database.connect();
  await other.query('begin');
  await other.query(`select from api_keys where id = $1::text for update`, [id]);
  await noteUse(database, [id]);
  await other.query('rollback');
  other.release();
  expect(await endedKeys(database, [id, 'nokey'])).toEqual(['nokey']);
});
