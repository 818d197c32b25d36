import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { keepClaimDays } from '../../src/engine/idempotency/claim-days.process.js';
import {
  ClaimDaysMissing,
  dropClaimDay,
  makeClaimDays,
  missingClaimDays,
} from '../../src/engine/idempotency/claim-days.store.js';
import { idempotently, type ClaimedAnswer } from '../../src/engine/idempotency/claims.store.js';
import { makeClocks, openAhead } from '../support/clocks.js';
import { gateOf } from '../support/idempotency-gate.js';
import { keptLog } from '../support/kept-log.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

// Row 9 of what is promised about keys: the window is exact, and no midnight, time zone or clock
// makes two winners.

const SECOND = 1_000;
const DAY = 86_400_000;

let home: TestDatabase;
let database: Database;
const open: Database[] = [];

beforeEach(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'claim days test' });
  await database.query(`
    create table effects (key text not null);
    grant select, insert on effects to recourse_customer`);
  await makeClocks(database);
});
afterEach(async () => {
  await Promise.all([database, ...open.splice(0)].map((one) => one.end()));
  await home.drop();
});

function ahead(ms: number, zone?: string): Database {
  const one = openAhead(home.url, ms, zone);
  open.push(one);
  return one;
}

/** By a process that has never seen the key. */
function claim(at: Database, key = 'k'): Promise<ClaimedAnswer> {
  const one = { account: 'acme', key, fingerprint: Buffer.alloc(32, 1) };
  return idempotently(gateOf(at), one, async (tx) => {
    await tx.query('insert into public.effects (key) values ($1::text)', [key]);
    return { status: 202, body: { key } };
  });
}

async function effects(): Promise<number> {
  return (await database.query('select from effects')).rowCount ?? 0;
}

/** Weeks of next year in one of which each change to or from summer time falls. */
function windowsWithChanges(): readonly number[] {
  const year = new Date().getUTCFullYear() + 1;
  return ['03-08', '03-25', '10-25', '11-01'].map((day) => Date.parse(`${year}-${day}T00:30:00Z`));
}

/** How far the next midnight of UTC is. */
const toMidnight = (): number => DAY - (Date.now() % DAY);
const endOf = ({ answer }: ClaimedAnswer) =>
  Date.parse(answer.headers['Idempotency-Expires'] ?? '');

async function days(): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'claims'::regclass order by relname`,
  );
  return rows.map(({ name }) => name);
}

describe('row 9: a key', () => {
  test('that is claimed right before and after midnight has one winner', async () => {
    const pools = [ahead(toMidnight() - SECOND), ahead(toMidnight() + SECOND)];
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const asked = keys.flatMap((key) =>
      pools.flatMap((pool) => [claim(pool, key), claim(pool, key)]),
    );
    const all = await Promise.allSettled(asked);
    expect(await effects()).toBe(20);
    const fresh = all.filter((one) => one.status === 'fulfilled' && !one.value.replayed);
    expect(fresh).toHaveLength(20);
    for (const one of all) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'in-progress' });
    }
  });

  test.each(['Europe/Berlin', 'Pacific/Kiritimati', 'America/St_Johns'])(
    'is honoured for exactly 168 hours, to the millisecond, in the zone %s',
    async (zone) => {
      for (const [step, start] of windowsWithChanges().entries()) {
        const then = ahead(start - Date.now(), zone);
        await then.query(
          `select make_claim_day(day) from generate_series(0, 8) as n,
             lateral (select (now() at time zone 'UTC')::date + n as day) as days
           where to_regclass(claim_day(day)) is null`,
        );
        const window = endOf(await claim(then, `${step}`)) - start;
        expect(window).toBeGreaterThanOrEqual(7 * DAY - 1);
        expect(window).toBeLessThan(7 * DAY + 20 * SECOND);
      }
    },
  );

  test('is honoured until the moment that was told, and free from then on', async () => {
    const end = endOf(await claim(database));
    expect((await claim(ahead(end - Date.now() - 2 * SECOND))).replayed).toBe(true);
    const anew = await claim(ahead(end - Date.now() + SECOND, 'America/New_York'));
    expect(anew.replayed).toBe(false);
    expect(endOf(anew)).toBeGreaterThan(end + 7 * DAY - SECOND);
    // The clock is put back: the last one counts.
    expect(endOf(await claim(database))).toBe(endOf(anew));
    expect(await effects()).toBe(2);
  });

  test.each([
    ['two hours', 2 * 3_600 * SECOND],
    ['two days', 2 * DAY],
    ['a week', 7 * DAY],
  ])('that was claimed while the clock was %s fast is honoured after it', async (_what, fast) => {
    const end = endOf(await claim(ahead(fast)));
    const again = await claim(database);
    expect(again.replayed).toBe(true);
    expect(endOf(again)).toBe(end);
    expect((await claim(ahead(-DAY))).replayed).toBe(true);
    expect(await effects()).toBe(1);
  });

  test('is dropped by no clock that is two days fast', async () => {
    await database.query(
      `select make_claim_day((now() at time zone 'UTC')::date - n) from generate_series(3, 8) as n`,
    );
    const end = endOf(await claim(ahead(-7 * DAY + 60 * SECOND)));
    const fast = ahead(2 * DAY);
    while ((await dropClaimDay(fast)) !== null);
    const again = await claim(database);
    expect([again.replayed, endOf(again)]).toEqual([true, end]);
  });
});

describe('a day of claims that is missing', () => {
  test.each([
    ['the day of the claims of now', 7],
    ['the day of the claims of three days ago', 4],
    ['today', 0],
  ])('closes the gate: %s', async (_what, days) => {
    await claim(database, 'before');
    const { rows } = await database.query(
      `select claim_day((now() at time zone 'UTC')::date + $1::integer) as name`,
      [days],
    );
    await database.query(`drop table ${rows[0].name}`);
    for (const key of ['before', 'after']) {
      await expect(claim(database, key)).rejects.toThrow(ClaimDaysMissing);
    }
    expect(await effects()).toBe(1);
    expect(await missingClaimDays(database)).toEqual([rows[0].name]);
  });

  test('is not made again by itself, is said each time, and is made by a person', async () => {
    const { rows } = await database.query(
      `select claim_day((now() at time zone 'UTC')::date + 3) as name`,
    );
    await database.query(`alter table claims detach partition ${rows[0].name}`);
    const log = keptLog();
    const keep = keepClaimDays(database, log);
    await keep();
    await keep();
    expect(log.lines).toMatchObject([
      { level: 'error', fields: { subject: rows[0].name } },
      { level: 'error', fields: { subject: rows[0].name } },
    ]);
    expect(await runMigrations(home.url)).toEqual([]);
    expect(await missingClaimDays(database)).toEqual([rows[0].name]);
    await database.query(`drop table ${rows[0].name}`);
    await database.query(`select make_claim_day((now() at time zone 'UTC')::date + 3)`);
    expect(await missingClaimDays(database)).toEqual([]);
    expect((await claim(database)).replayed).toBe(false);
  });

  test('by a clock that is a month fast is one too: nothing is claimed', async () => {
    const fast = ahead(30 * DAY);
    await expect(claim(fast)).rejects.toThrow(ClaimDaysMissing);
    expect(await missingClaimDays(fast)).toHaveLength(8);
  });
});

describe('the days of claims', () => {
  test('are made eight days ahead, and again only when time has passed', async () => {
    expect(await days()).toHaveLength(18);
    expect(await makeClaimDays(database)).toBe(0);
    expect(await makeClaimDays(ahead(DAY))).toBe(1);
    expect(await days()).toHaveLength(19);
  });

  test('are made by many at once, each once', async () => {
    const then = ahead(3 * DAY);
    const made = await Promise.all(Array.from({ length: 5 }, () => makeClaimDays(then)));
    expect(made.reduce((sum, one) => sum + one)).toBe(3);
  });

  test('are made while keys are claimed, and wait for nobody', async () => {
    const holder = await database.connect();
    await holder.query('begin');
    await holder.query('select from claims');
    await holder.query(`insert into claims (expires_at, id, status, fingerprint, account, body)
      values (now(), gen_random_uuid(), 202, sha256(''), 'acme', '')`);
    expect(await makeClaimDays(ahead(DAY))).toBe(1);
    await holder.query('rollback');
    holder.release();
  });

  test('are dropped whole, two days after the last claim in them was over, one at a time', async () => {
    const all = await days();
    await claim(database);
    expect(await dropClaimDay(database)).toBeNull();
    const later = ahead(9 * DAY + 7 * DAY);
    const dropped = [];
    for (let name = await dropClaimDay(later); name !== null; name = await dropClaimDay(later)) {
      dropped.push(name);
    }
    expect(dropped).toEqual(all.slice(0, 16));
    expect(await database.query('select from claims')).toMatchObject({ rowCount: 0 });
  });

  test('are not dropped while somebody reads them, and nobody has to wait long', async () => {
    const later = ahead(16 * DAY);
    const holder = await database.connect();
    await holder.query('begin');
    await holder.query('select from claims');
    const [dropping, claiming] = [dropClaimDay(later), claim(database)];
    expect(await dropping).toBeNull();
    expect((await claiming).replayed).toBe(false);
    await holder.query('rollback');
    holder.release();
    expect(await dropClaimDay(later)).not.toBeNull();
  });
});
