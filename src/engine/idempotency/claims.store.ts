import { inTransaction, type Database, type Tx } from '../database/database.js';
import { Answer, jsonBytes } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import { decideClaim, type StoredClaim } from './decide-claim.js';

/**
 * How long a key is honoured, from the commit of its effect. Longer than any client retries, and
 * published: every answer says when it ends.
 */
export const CLAIM_WINDOW_DAYS = 7;

/** A request that may have its effect once. */
export interface Claim {
  readonly account: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** What a request did, as it is answered now and on every retry. */
export interface Effect {
  readonly status: 200 | 201 | 202;
  readonly body: unknown;
  readonly location?: string;
  readonly etag?: string;
}

/** An answer, and whether its effect is from now or from an earlier request. */
export interface ClaimedAnswer {
  readonly answer: Answer;
  readonly replayed: boolean;
}

/**
 * Gives a request its effect exactly once: claim, effect and answer commit in one transaction, so a
 * crash leaves all or nothing. Asked again within the window it answers the same bytes, marked
 * `Idempotent-Replayed`. When `work` throws, everything is rolled back and the key stays free. It
 * must do nothing but query. Throws Problem: in-progress while another request holds the key,
 * key-reused for another request under the same key.
 */
export function idempotently(
  database: Database,
  claim: Claim,
  work: (tx: Tx) => Promise<Effect>,
): Promise<ClaimedAnswer> {
  return inTransaction(database, async (tx) => {
    if (!(await lockKey(tx, claim))) {
      throw new Problem('in-progress', { headers: { 'Retry-After': '1' } });
    }
    const stored = await readClaim(tx, claim);
    const decision = decideClaim(stored, claim.fingerprint);
    if (decision === 'mismatch') throw new Problem('key-reused');
    if (decision === 'replay' && stored !== null) {
      return { answer: answerOf(stored, true), replayed: true };
    }
    const saved = await saveClaim(tx, claim, await work(tx));
    return { answer: answerOf(saved, false), replayed: false };
  });
}

interface ClaimRow extends StoredClaim {
  readonly status: number;
  readonly location: string | null;
  readonly etag: string | null;
  readonly body: Buffer;
  readonly expires_at: Date;
}

/** Held until the transaction ends, and by no dead process: nothing has to be cleaned up. */
async function lockKey(tx: Tx, { account, key }: Claim): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(
       hashtextextended('claim:' || $1::text || ':' || $2::text, 0)) as locked`,
    [account, key],
  );
  return rows[0]?.locked === true;
}

async function readClaim(tx: Tx, { account, key }: Claim): Promise<ClaimRow | null> {
  const { rows } = await tx.query<ClaimRow>(
    `select fingerprint, expires_at <= now() as expired, status, location, etag, body, expires_at
     from claims where account = $1::text and key = $2::text`,
    [account, key],
  );
  return rows[0] ?? null;
}

async function saveClaim(tx: Tx, claim: Claim, effect: Effect): Promise<ClaimRow> {
  const { rows } = await tx.query<ClaimRow>(
    `insert into claims (account, key, fingerprint, status, location, etag, body, expires_at)
     values ($1::text, $2::text, $3::bytea, $4::integer, $5::text, $6::text, $7::bytea,
             date_trunc('milliseconds', now() + make_interval(days => $8::integer)))
     on conflict (account, key) do update
     set fingerprint = excluded.fingerprint, status = excluded.status,
         location = excluded.location, etag = excluded.etag, body = excluded.body,
         created_at = now(), expires_at = excluded.expires_at
     where claims.expires_at <= now()
     returning fingerprint, false as expired, status, location, etag, body, expires_at`,
    [
      claim.account,
      claim.key,
      claim.fingerprint,
      effect.status,
      effect.location ?? null,
      effect.etag ?? null,
      jsonBytes(effect.body),
      CLAIM_WINDOW_DAYS,
    ],
  );
  const [saved] = rows;
  if (saved === undefined) throw new Error('a claim was written past its lock');
  return saved;
}

function answerOf(row: ClaimRow, replayed: boolean): Answer {
  return new Answer(row.status, row.body, {
    'Idempotency-Expires': row.expires_at.toISOString(),
    ...(row.location === null ? {} : { Location: row.location }),
    ...(row.etag === null ? {} : { ETag: row.etag }),
    ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}),
  });
}
