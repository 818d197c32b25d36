import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findCaller } from '../../src/engine/accounts/key-use.store.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { dropDatabase, ensureDatabase } from '../../src/local/local-postgres.store.js';
import { onlyLine, runCli, runHere } from './run-cli.js';

const name = `test_${randomBytes(8).toString('hex')}`;
let url = '';
let database: Database;

beforeAll(async () => {
  await ensureDatabase(inject('postgresAdminUrl'), name);
  const place = new URL(inject('postgresAdminUrl'));
  place.pathname = `/${name}`;
  url = place.href;
  database = openDatabase({ url, name: 'cli test', connections: 1 });
});
afterAll(async () => {
  await database.end();
  await dropDatabase(inject('postgresAdminUrl'), name);
});

const recourse = (...args: string[]) => runHere(args, { DATABASE_URL: url });
const created = async (...args: string[]) => {
  const ended = await recourse('keys', 'create', '--json', '--role', 'operator', ...args);
  return JSON.parse(ended.stdout) as {
    readonly id: string;
    readonly key: string;
    readonly expires_at?: string;
  };
};

describe('before the schema is there', () => {
  test('keys say that the database is to be migrated', async () => {
    const ended = await recourse('keys', 'list');
    expect(ended.code).toBe(1);
    expect(onlyLine(ended)).toMatch(/^recourse: .* lacks the schema: run npx recourse migrate/);
  });

  test('migrate applies what is missing, and a second time nothing', async () => {
    const first = await recourse('migrate', '--json');
    const { applied } = JSON.parse(first.stdout) as { applied: string[] };
    expect(applied[0]).toBe('0001_accounts');
    const [again, named] = await Promise.all([
      recourse('migrate', '--json'),
      runHere(['migrate', '--database-url', url]),
    ]);
    expect(JSON.parse(again.stdout)).toEqual({ applied: [] });
    expect(named).toMatchObject({ code: 0, stdout: '' });
    expect(named.stderr).toMatch(new RegExp(`^The database .*/${name} is up to date\\.\n$`));
  });
});

describe('a key', () => {
  test('is printed alone, once, and opens the API', async () => {
    const ended = await runCli(
      ['keys', 'create', '--account', 'acme', '--name', 'Acme', '--role', 'customer'],
      { DATABASE_URL: url },
    );
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('shown this once') });
    expect(await findCaller(database, ended.stdout.trimEnd())).toMatchObject({
      account: 'acme',
      role: 'customer',
    });
  });

  test('is listed without what opens a door', async () => {
    const { id, key } = await created('--account', 'acme', '--note', 'night desk');
    const secret = key.slice(`rk_live_${id}_`.length);
    const [text, json] = await Promise.all([
      recourse('keys', 'list'),
      recourse('keys', 'list', '--account', 'acme', '--json'),
    ]);
    expect(text.stdout).toMatch(new RegExp(`^${id} +acme +operator +live .* night desk$`, 'm'));
    expect(JSON.parse(json.stdout).data).toContainEqual({
      object: 'api_key',
      ...{ id, account: 'acme', role: 'operator', note: 'night desk' },
      ...{ environment: 'live', created_at: expect.any(String), expires_at: null },
      ...{ last_used_at: null, revoked_at: null },
    });
    expect(text.stdout + json.stdout).not.toContain(secret);
  });

  test('is revoked by its id, and a second time nothing changes', async () => {
    const { id, key } = await created('--account', 'acme');
    expect(await recourse('keys', 'revoke', id)).toMatchObject({ code: 0, stdout: '' });
    expect(await findCaller(database, key)).toBeNull();
    const again = await recourse('keys', 'revoke', id, '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({ id, revoked: false });
  });

  test('that got out is revoked by itself, and not said again', async () => {
    const { id, key } = await created('--account', 'acme');
    const ended = await recourse('keys', 'revoke', key);
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Key ${id} is revoked.`),
    });
    expect(await findCaller(database, key)).toBeNull();
  });

  test('of an account that is not there is refused, and makes none', async () => {
    const ended = await recourse('keys', 'create', '--account', 'acne', '--role', 'operator');
    expect(ended.code).toBe(1);
    expect(onlyLine(ended)).toMatch(/there is no account acne: give --name/);
    const { rows } = await database.query(`select from accounts where id = 'acne'`);
    expect(rows).toEqual([]);
  });

  test('is replaced by another one, and ends when it is said to', async () => {
    const { id, key } = await created('--account', 'rota', '--name', 'Rota', '--note', 'CI');
    const ended = await recourse('keys', 'rotate', id, '--old-ends-in', '30m', '--json');
    const rotated = JSON.parse(ended.stdout);
    expect(rotated).toMatchObject({ account: 'rota', role: 'operator', note: 'CI' });
    expect(Date.parse(rotated.replaces.expires_at) - Date.now()).toBeLessThanOrEqual(1_800_000);
    for (const one of [key, rotated.key]) expect(await findCaller(database, one)).not.toBeNull();
    const third = await recourse('keys', 'rotate', rotated.key);
    expect(third.code).toBe(1);
    expect(onlyLine(third)).toMatch(/rota has two valid operator keys already: revoke one/);
    await recourse('keys', 'revoke', id);
    const text = await recourse('keys', 'rotate', rotated.key);
    expect(text.stdout).toMatch(/^rk_live_[0-9a-f]{16}_[\w-]{43}\n$/);
    expect(text.stderr).toContain(`The old one, ${rotated.id}, ends at `);
  });

  test('ends by itself, and says for what it is, where that is wished', async () => {
    const wishes = ['--expires-in', '90d', '--env', 'test'];
    const made = await created('--account', 'brief', '--name', 'Brief', ...wishes);
    expect(made).toMatchObject({ environment: 'test', key: expect.stringMatching(/^rk_test_/) });
    expect(Date.parse(made.expires_at ?? '') - Date.now()).toBeGreaterThan(89 * 86_400_000);
  });

  test('that nobody has cannot be revoked', async () => {
    const ended = await recourse('keys', 'revoke', 'nokey');
    expect(ended.code).toBe(1);
    expect(onlyLine(ended)).toMatch(/no key of this id/);
  });
});

test.each([
  ['no role', ['keys', 'create', '--account', 'acme']],
  ['a role that is none', ['keys', 'create', '--account', 'acme', '--role', 'boss']],
  ['an account that cannot be', ['keys', 'create', '--account', 'A-1', '--role', 'operator']],
  ['a key for nothing', ['keys', 'create', '--account', 'a', '--role', 'operator', '--env', 'X']],
  ['an end that is none', ['keys', 'rotate', 'a', '--old-ends-in', 'soon']],
  ['an option that is none', ['migrate', '--down']],
  ['a database that is none', ['migrate', '--database-url', 'mysql://there/x']],
  ['no verb of keys', ['keys']],
  ['a verb that is none', ['frobnicate']],
])('%s is wrong usage', async (_what, args) => {
  const ended = await recourse(...args);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).not.toBe('');
});

test('a database that does not answer is told with its place, and without a password', async () => {
  const away = 'postgres://ada:secret@127.0.0.1:9/recourse';
  for (const verb of [['migrate'], ['keys', 'list']]) {
    const ended = await runHere(verb, { DATABASE_URL: away });
    expect(ended.code).toBe(1);
    expect(onlyLine(ended)).toMatch(/127\.0\.0\.1:9\/recourse cannot be used: .*ECONNREFUSED/);
    expect(ended.stderr).not.toContain('secret');
  }
});

test('the built CLI ends with 1 for what is refused, and with 2 for wrong usage', async () => {
  const verbs = [
    ['keys', 'revoke', 'nokey'],
    ['keys', 'revoke'],
    ['keys', 'create', '--account', 'A-1', '--role', 'operator'],
  ];
  const ended = await Promise.all(verbs.map((verb) => runCli(verb, { DATABASE_URL: url })));
  expect(ended.map(({ code }) => code)).toEqual([1, 2, 2]);
});
