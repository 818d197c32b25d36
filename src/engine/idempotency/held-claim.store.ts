import { sqlState, type Tx } from '../database/database.js';
import {
  CLAIM_DAYS_NEEDED,
  CLAIM_DAYS_THERE,
  CLAIM_WINDOW_HOURS,
  ClaimDaysMissing,
} from './claim-days.store.js';
import type { Holding } from './decide-claim.js';
import type { StoredAnswer } from './stored-answer.js';

/** What a key is held by, with what is needed to answer or to go on. */
export type HeldClaim =
  | (Extract<Holding, { kind: 'answered' }> & {
      readonly stored: StoredAnswer;
      /** How long the key is still honoured, by the database's clock. */
      readonly leftMs: number;
    })
  | Extract<Holding, { kind: 'at-work' }>;

/**
 * A plan is kept as long as its connection. One that was made while a day ahead was empty, and was
 * known to be, would read that day from end to end when it is full: so the look for a key is
 * planned with indexes alone, and lets the next statements be planned as usual.
 */
const BY_INDEX = `set_config('enable_seqscan', 'off', true)`;
const AS_USUAL = `set_config('enable_seqscan', 'on', true)`;

/**
 * Keeps everybody else away from these keys until the transaction ends, and answers which of them
 * it got: somebody has the others. No dead process holds any, so nothing has to be cleaned up.
 */
export async function tryLockKeys(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string; locked: boolean }>(
    `select id, pg_try_advisory_xact_lock(hashtextextended('claim:' || id, 0)) as locked,
       ${BY_INDEX}
     from unnest($1::text[]) as id`,
    [ids],
  );
  return new Set(rows.filter(({ locked }) => locked).map(({ id }) => id));
}

/**
 * Does the same for a handler in phases, and waits for a moment: who holds a key at the same time
 * holds it for a few statements, and then it is known what under. False: for longer than that.
 */
export async function lockKey(tx: Tx, id: string): Promise<boolean> {
  try {
    await tx.query(
      `select set_config('lock_timeout', '1000ms', true), ${BY_INDEX},
         pg_advisory_xact_lock(hashtextextended('claim:' || $1::text, 0))`,
      [id],
    );
    return true;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** What is under some keys, and until when one that is claimed now is honoured. */
export interface Held {
  /** By the id of the claim; none: the key is free. */
  readonly claims: ReadonlyMap<string, HeldClaim>;
  readonly expiresAt: Date;
}

/**
 * What keys are held by. In a statement of its own, after the lock, because one that was begun
 * before would not see what its holder has committed. It looks into each day that is not over,
 * those ahead included: who claimed while the clock was fast is found there. Of two that are alive,
 * as after such a clock was put back, the last one counts. Throws ClaimDaysMissing: then "no row"
 * would not mean that a key is free. No day can be dropped until the transaction ends.
 */
export async function readHeldClaims(tx: Tx, ids: readonly string[]): Promise<Held> {
  const { rows } = await tx.query<Row>(
    `select days.*, found.*, ${AS_USUAL}
     from (select ${CLAIM_DAYS_THERE} = $2::integer as whole,
             date_trunc('milliseconds', now() + interval '${CLAIM_WINDOW_HOURS} hours') as until
          ) as days
     left join lateral (
       select id, fingerprint, null::smallint as status, null::text as location,
         null::text as etag, null::bytea as body, expires_at,
         extract(epoch from lease_until - now())::float8 * 1000 as lease_ms,
         null::float8 as left_ms
       from claims_at_work where id = any($1::uuid[])
       union all
       (select id, fingerprint, status, location, etag, body, expires_at, null,
          extract(epoch from expires_at - clock_timestamp())::float8 * 1000
        from claims where id = any($1::uuid[]) and expires_at > now()
        order by expires_at)
       ) as found on true`,
    [ids, CLAIM_DAYS_NEEDED],
  );
  const [first] = rows;
  if (first?.whole !== true) throw new ClaimDaysMissing();
  // The one at work counts beside any that was answered, and of these the last.
  const byRank = rows.toSorted((a, b) => Number(a.lease_ms !== null) - Number(b.lease_ms !== null));
  const claims = new Map<string, HeldClaim>();
  for (const row of byRank) if (row.id !== null) claims.set(row.id, heldAs(row));
  return { claims, expiresAt: first.until };
}

/** As `readHeldClaims`, of one key. */
export async function readHeldClaim(tx: Tx, id: string): Promise<HeldClaim | null> {
  return (await readHeldClaims(tx, [id])).claims.get(id) ?? null;
}

function heldAs(row: Row): HeldClaim {
  const { fingerprint, left_ms: leftMs, lease_ms: leaseMs } = row;
  if (leaseMs !== null) return { kind: 'at-work', fingerprint, leaseMs };
  return { kind: 'answered', fingerprint, stored: row, leftMs: leftMs ?? 0 };
}

/** All but the first two are null where there is no claim. */
interface Row extends StoredAnswer {
  readonly whole: boolean;
  readonly until: Date;
  readonly id: string | null;
  readonly fingerprint: Buffer;
  /** Not null: at work. */
  readonly lease_ms: number | null;
  /** Not null: answered. */
  readonly left_ms: number | null;
}

/** A claim that is over, with its answer sealed. */
export interface FinishedClaim extends StoredAnswer {
  readonly id: string;
  readonly account: string;
  readonly fingerprint: Buffer;
}

/**
 * Writes the answers of keys that are locked, each honoured until its `expires_at`. Throws what
 * Postgres throws when that day is missing.
 */
export async function saveAnswers(tx: Tx, claims: readonly FinishedClaim[]): Promise<void> {
  const all = <Value>(of: (claim: FinishedClaim) => Value) => claims.map(of);
  await tx.query(
    `insert into claims (expires_at, id, status, fingerprint, account, location, etag, body)
     select * from unnest($1::timestamptz[], $2::uuid[], $3::smallint[], $4::bytea[], $5::text[],
                          $6::text[], $7::text[], $8::bytea[])`,
    [
      all((one) => one.expires_at),
      all((one) => one.id),
      all((one) => one.status),
      all((one) => one.fingerprint),
      all((one) => one.account),
      all((one) => one.location),
      all((one) => one.etag),
      all((one) => one.body),
    ],
  );
}
