import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkLock, DatabaseUnusable } from '../../src/engine/database/await-schema.process.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { CUSTOMER_ROLE, inAccount, readerOf } from '../../src/engine/database/in-account.store.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { dropDatabase } from '../../src/local/local-postgres.store.js';
import { ask, startApi, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

let api: TestApi;
let database: Database;
/** A booking of acme's. */
let run = '';
const sagas = tripSagas();

beforeAll(async () => {
  api = await startApi(tripApi, sagas);
  database = api.database;
  run = (await ask(api, '/v1/bookings', { key: 'one', body: trip() })).body.id;
});
afterAll(() => api.close());

const refusedAs = (code: string) => expect.objectContaining({ code });
/** Of a statement that breaks the lock, and of a table that is not open at all. */
const NOT_ALLOWED = refusedAs('42501');

test('whatever belongs to an account or to a run is locked', async () => {
  const { rows } = await database.query(
    `select tables.relname as open from pg_class as tables
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and exists (select from pg_attribute where attrelid = tables.oid
                   and attname in ('account', 'run') and not attisdropped)
       and not (relrowsecurity and exists (
         select from pg_policy where polrelid = tables.oid and polcmd = '*'))`,
  );
  expect(rows).toEqual([]);
});

test('the role of customers cannot log in, passes by no lock, and owns nothing', async () => {
  const { rows } = await database.query(
    `select rolcanlogin or rolsuper or rolbypassrls or rolcreaterole as might,
       exists (select from pg_class where relowner = pg_roles.oid) as owns
     from pg_roles where rolname = $1::text`,
    [CUSTOMER_ROLE],
  );
  expect(rows).toEqual([{ might: false, owns: false }]);
});

test('what is not locked is not open to it, days of claims and keys neither', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
       and not relrowsecurity and has_any_column_privilege($1::text, oid,
         'select, insert, update, references')`,
    [CUSTOMER_ROLE],
  );
  expect(rows).toEqual([]);
  for (const table of ['api_keys', 'locks', 'workers', 'schema_migrations']) {
    const reading = readerOf(database, 'acme').query(`select from ${table}`);
    await expect(reading, table).rejects.toEqual(NOT_ALLOWED);
  }
});

test.each([['runs'], ['journal'], ['events'], ['outbox'], ['claims'], ['accounts']])(
  'of %s an account sees its own rows, another one none of them',
  async (table) => {
    const count = async (account: string) => {
      const { rows } = await readerOf(database, account).query(
        `select count(*)::integer as count from ${table}`,
      );
      return rows[0].count;
    };
    expect([await count('acme'), await count('nobody')]).toEqual([1, 0]);
    // On a new connection nothing was ever said; on others it is forgotten.
    const anew = openDatabase({ url: api.databaseUrl, name: 'lock test', connections: 1 });
    const unnamed = await anew.connect();
    await unnamed.query(`begin; set local role ${CUSTOMER_ROLE}`);
    const { rowCount } = await unnamed.query(`select from ${table}`);
    await unnamed.query('rollback');
    unnamed.release();
    await anew.end();
    expect(rowCount).toBe(0);
  },
);

describe('who knows the id of a run of another account', () => {
  const asZenith = (text: string) =>
    inAccount(database, 'zenith', (tx) => tx.query(text, [run])).then(({ rowCount }) => rowCount);

  test.each([
    [`update runs set last_seq = 9 where id = $1::text`],
    [`select from runs where id = $1::text for update`],
    [`update step_keys set closed_at = now() where run = $1::text`],
    [`select from journal where run = $1::text`],
  ])('finds nothing by %s', async (text) => {
    expect(await asZenith(text)).toBe(0);
  });

  test.each([
    [`insert into journal (run, seq, line) values ($1::text, 2, '{}')`],
    [`insert into outbox (kind, run) values ('cancel', $1::text)`],
    [`insert into step_keys (run, step, direction, key) values ($1::text, 'a', 'do', 'zenith')`],
    [
      `insert into interventions (run, who, action, before, after)
       values ($1::text, 'zenith', 'cancel', '{}', '{}')`,
    ],
    [
      `insert into cases (id, run, step, direction, problem)
       values ('case_' || repeat('a', 26), $1::text, 'a', 'do', 'undo-stuck')`,
    ],
    [
      `insert into events (xid, account, run, seq, saga, status, created_at)
       values ('1', 'acme', $1::text, 2, 'book-trip', 'failed', now())`,
    ],
    [`delete from journal where run = $1::text`],
    [
      `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms,
                         look_at)
       values (translate($1::text, 'abc', 'cab'), 'acme', 's', 1, 1, '', 1, 1, now())`,
    ],
    [`update accounts set name = $1::text`],
  ])('is refused %s', async (text) => {
    await expect(asZenith(text)).rejects.toEqual(NOT_ALLOWED);
  });

  test('has changed nothing by all that', async () => {
    const { rows } = await database.query(
      `select last_seq, (select count(*)::integer from outbox) as messages from runs`,
    );
    expect(rows).toEqual([{ last_seq: 1, messages: 1 }]);
  });
});

test('a reader cannot write, and its connection serves the next one', async () => {
  const reader = readerOf(database, 'acme');
  const writing = reader.query(`insert into outbox (kind, run) values ('cancel', $1::text)`, [run]);
  await expect(writing).rejects.toEqual(refusedAs('25006'));
  expect((await reader.query('select from runs')).rowCount).toBe(1);
  expect((await database.query('select current_user = session_user as own')).rows).toEqual([
    { own: true },
  ]);
});

test('a name that is no account ends no statement and begins none', async () => {
  const odd = `x'; reset role; --`;
  expect((await readerOf(database, odd).query('select from runs')).rowCount).toBe(0);
});

describe('a database whose user is no superuser', () => {
  const names: string[] = [];
  const admin = () => new URL(inject('postgresAdminUrl'));

  /** A role of its own that owns a database of its own, as docker-compose.yml makes them. */
  async function ownerOf(grants: string): Promise<string> {
    const name = `owner_${randomBytes(6).toString('hex')}`;
    names.push(name);
    for (const statement of [
      `create role ${name} login password 'x'`,
      ...(grants === '' ? [] : [`grant ${grants} to ${name}`]),
      `create database ${name} owner ${name}`,
    ]) {
      await database.query(statement);
    }
    const url = admin();
    Object.assign(url, { username: name, password: 'x', pathname: `/${name}` });
    return url.href;
  }
  afterAll(async () => {
    for (const name of names) await dropDatabase(admin().href, name);
    const opened = openDatabase({ url: admin().href, name: 'lock test', connections: 1 });
    for (const name of names) await opened.query(`drop role ${name}`);
    await opened.end();
  });

  test('is migrated, books, reads and cancels, and its customers are locked in', async () => {
    const url = await ownerOf(CUSTOMER_ROLE);
    expect(await runMigrations(url)).toContain('0012_second_lock');
    const plain = await startApi(tripApi, sagas, { place: { url, drop: async () => undefined } });
    await checkLock(plain.database, url);
    const booked = await ask(plain, '/v1/bookings', { key: 'a', body: trip({ reference: 'r' }) });
    expect(booked.status).toBe(202);
    const { id } = booked.body;
    const stranger = { as: plain.keys.stranger };
    expect((await ask(plain, `/v1/bookings/${id}`)).status).toBe(200);
    expect((await ask(plain, `/v1/bookings/${id}`, stranger)).status).toBe(404);
    expect((await ask(plain, `/v1/bookings`)).body.data).toHaveLength(1);
    expect((await ask(plain, `/v1/bookings/${id}/cancel`, { key: 'b' })).status).toBe(202);
    expect((await readerOf(plain.database, 'zenith').query('select from runs')).rowCount).toBe(0);
    expect((await plain.database.query('select from runs')).rowCount).toBe(1);
    await plain.close();
  });

  test('says what is missing where it may not take the role of customers', async () => {
    const url = await ownerOf('');
    await expect(runMigrations(url)).rejects.toThrow(/as a superuser, grant recourse_customer to/);
  });

  test('reads nothing without the lock, and a process does not start on it', async () => {
    const url = await ownerOf('');
    const other = openDatabase({ url, name: 'lock test', connections: 1 });
    await expect(readerOf(other, 'acme').query('select 1')).rejects.toEqual(NOT_ALLOWED);
    await expect(inAccount(other, 'acme', (tx) => tx.query('select 1'))).rejects.toEqual(
      NOT_ALLOWED,
    );
    await expect(checkLock(other, url)).rejects.toThrow(DatabaseUnusable);
    await other.end();
  });
});
