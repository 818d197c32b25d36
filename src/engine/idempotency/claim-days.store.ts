import { sqlState, theRow, type Queryable } from '../database/database.js';

/**
 * How long a key is honoured, from its claim: seven days of 24 hours, whatever clocks are put
 * forward or back in between. Longer than any client retries, and published: every answer says when
 * it ends.
 */
export const CLAIM_WINDOW_HOURS = 168;

/** So many days are there before anybody needs them: a relay may be away for a week. */
const DAYS_AHEAD = 8;
/**
 * A day is dropped so long after its last claim was over. A clock that is two days fast, and is put
 * right, has cost no claim.
 */
const DAYS_KEPT = 2;

/** Somebody holds the table: another time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Thrown by the gate when a day is missing on which a live claim could lie. */
export class ClaimDaysMissing extends Error {
  override readonly name = 'ClaimDaysMissing';

  constructor() {
    super(
      'a day of claims is missing: no key can be claimed before /readyz says that all are there',
    );
  }
}

/** Today, and each day on which a claim that is made today may be over. */
export const CLAIM_DAYS_NEEDED = CLAIM_WINDOW_HOURS / 24 + 1;

/**
 * How many of those days are there, by the database's clock: an expression for a statement that
 * looks for a claim. Where one is missing, "no row" does not mean "no claim".
 */
export const CLAIM_DAYS_THERE = `
  (select count(*) from pg_inherits join pg_class on pg_class.oid = inhrelid
   where inhparent = 'claims'::regclass and relname between
     claim_day((now() at time zone 'UTC')::date) and
     claim_day((now() at time zone 'UTC')::date + ${CLAIM_WINDOW_HOURS / 24}))`;

/**
 * Makes the days that will be needed, and answers how many. A day that is missing between others is
 * not made again. Safe to run by many at once, and while keys are claimed.
 */
export async function makeClaimDays(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ made: number }>(
    `select make_claim_days((now() at time zone 'UTC')::date + $1::integer) as made`,
    [CLAIM_DAYS_NEEDED - 1 + DAYS_AHEAD],
  );
  return theRow(rows).made;
}

/**
 * Drops the oldest day when nothing in it has been honoured for two days, and answers its name;
 * null: there is none, or the table is in use. One a call, so that a clock that is far ahead is
 * noticed before much is gone.
 */
export async function dropClaimDay(database: Queryable): Promise<string | null> {
  try {
    const { rows } = await database.query<{ dropped: string | null }>(
      `select drop_claim_day(now() - $1::integer * interval '24 hours') as dropped`,
      [DAYS_KEPT],
    );
    return theRow(rows).dropped;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return null;
    throw error;
  }
}

/** The days that are missing, by the names of their tables; none: every key can be claimed. */
export async function missingClaimDays(database: Queryable): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select claim_day((now() at time zone 'UTC')::date + days) as name
     from generate_series(0, $1::integer - 1) as days
     where not exists (
       select from pg_inherits join pg_class on pg_class.oid = inhrelid
       where inhparent = 'claims'::regclass
         and relname = claim_day((now() at time zone 'UTC')::date + days))
     order by 1`,
    [CLAIM_DAYS_NEEDED],
  );
  return rows.map(({ name }) => name);
}
