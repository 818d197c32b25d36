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
 * Keeps everybody else away from a key until the transaction ends; false: somebody has it. No dead
 * process holds it, so nothing has to be cleaned up.
 */
export async function tryLockKey(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('claim:' || $1::text, 0)) as locked,
       ${BY_INDEX}`,
    [id],
  );
  return rows[0]?.locked === true;
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

/**
 * What a key is held by; null: it is free. In a statement of its own, after the lock, because one
 * that was begun before would not see what its holder has committed. It looks into each day that is
 * not over, those ahead included: who claimed while the clock was fast is found there. Of two that
 * are alive, as after such a clock was put back, the last one counts. Throws ClaimDaysMissing: then
 * "no row" would not mean that the key is free. No day can be dropped until the transaction ends.
 */
export async function readHeldClaim(tx: Tx, id: string): Promise<HeldClaim | null> {
  const { rows } = await tx.query<Row>(
    `select days.whole, found.*, ${AS_USUAL}
     from (select ${CLAIM_DAYS_THERE} = $2::integer as whole) as days
     left join lateral (
       select fingerprint, null::smallint as status, null::text as location, null::text as etag,
         null::bytea as body, expires_at,
         extract(epoch from lease_until - now())::float8 * 1000 as lease_ms,
         null::float8 as left_ms
       from claims_at_work where id = $1::uuid
       union all
       (select fingerprint, status, location, etag, body, expires_at, null,
          extract(epoch from expires_at - clock_timestamp())::float8 * 1000
        from claims where id = $1::uuid and expires_at > now()
        order by expires_at desc limit 1)
       limit 1) as found on true`,
    [id, CLAIM_DAYS_NEEDED],
  );
  const [row] = rows;
  if (row?.whole !== true) throw new ClaimDaysMissing();
  const { fingerprint, left_ms: leftMs, lease_ms: leaseMs } = row;
  if (leaseMs !== null) return { kind: 'at-work', fingerprint, leaseMs };
  return leftMs === null ? null : { kind: 'answered', fingerprint, stored: row, leftMs };
}

/** All but the first are null where there is no claim. */
interface Row extends StoredAnswer {
  readonly whole: boolean;
  readonly fingerprint: Buffer;
  /** Not null: at work. */
  readonly lease_ms: number | null;
  /** Not null: answered. */
  readonly left_ms: number | null;
}

/** A claim that is over, with its answer sealed. */
export interface FinishedClaim {
  readonly id: string;
  readonly account: string;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly location: string | null;
  readonly etag: string | null;
  readonly body: Buffer;
}

/**
 * Writes the answer of a key that is locked, and answers until when it is honoured: `expiresAt`, or
 * a window from now. Throws what Postgres throws when that day is missing.
 */
export async function saveAnswer(
  tx: Tx,
  claim: FinishedClaim,
  expiresAt: Date | null = null,
): Promise<StoredAnswer> {
  const { rows } = await tx.query<{ expires_at: Date }>(
    `insert into claims (expires_at, id, status, fingerprint, account, location, etag, body)
     values (coalesce($8::timestamptz, date_trunc('milliseconds',
               now() + interval '${CLAIM_WINDOW_HOURS} hours')),
             $1::uuid, $2::smallint, $3::bytea, $4::text, $5::text, $6::text, $7::bytea)
     returning expires_at`,
    [
      claim.id,
      claim.status,
      claim.fingerprint,
      claim.account,
      claim.location,
      claim.etag,
      claim.body,
      expiresAt,
    ],
  );
  const [saved] = rows;
  if (saved === undefined) throw new Error('a claim was written and is not there');
  return { ...claim, ...saved };
}
