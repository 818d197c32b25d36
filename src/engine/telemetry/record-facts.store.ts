import { theRow, type Queryable } from '../database/database.js';
import { CLAIM_DAYS_NEEDED, CLAIM_DAYS_THERE } from '../idempotency/claim-days.store.js';
import { WORKER_ALIVE_MS } from '../health/readiness.store.js';

/**
 * What the record says of all runs at one moment. A state, problem or kind without any is left out.
 */
export interface RecordFacts {
  readonly runs: readonly LivingRuns[];
  readonly cases: readonly OpenCases[];
  readonly outbox: readonly WaitingMessages[];
  /** Workers that gave a sign of life lately. */
  readonly workers: number;
  /** Living runs that nobody can go on with, by `saga@version`. */
  readonly stranded: readonly { readonly version: string; readonly count: number }[];
  /** Days of claims without which no key can be claimed. */
  readonly claimDaysMissing: number;
}

export interface LivingRuns {
  readonly state: string;
  readonly count: number;
  /** Since the oldest was accepted. */
  readonly ageS: number;
  /** Since the last news of the one that has been silent the longest. */
  readonly silenceS: number;
}

export interface OpenCases {
  readonly problem: string;
  readonly direction: string;
  readonly count: number;
  readonly ageS: number;
}

export interface WaitingMessages {
  readonly kind: string;
  readonly count: number;
  readonly ageS: number;
}

/**
 * Reads all of it in one statement. It touches what has not ended, is open or is unsent, by the
 * partial indexes of those, and never the rest: its cost follows what is in flight, not what is
 * kept.
 */
export async function readRecordFacts(database: Queryable): Promise<RecordFacts> {
  const { rows } = await database.query<RecordFacts>(
    `with living as materialized (
       select runs.state, runs.saga || '@' || runs.version as version,
         runs.created_at, runs.updated_at
       from runs where runs.ended_at is null
     ), alive as materialized (
       select workers.versions from workers
       where workers.seen_at > now() - $1::integer * interval '1 millisecond'
     )
     select
       (select coalesce(jsonb_agg(one), '[]') from (
          select living.state, count(*) as count,
            extract(epoch from now() - min(living.created_at)) as "ageS",
            extract(epoch from now() - min(living.updated_at)) as "silenceS"
          from living group by living.state) as one) as runs,
       (select coalesce(jsonb_agg(one), '[]') from (
          select cases.problem, cases.direction, count(*) as count,
            extract(epoch from now() - min(cases.opened_at)) as "ageS"
          from cases where cases.state = 'open'
          group by cases.problem, cases.direction) as one) as cases,
       (select coalesce(jsonb_agg(one), '[]') from (
          select outbox.kind, count(*) as count,
            extract(epoch from now() - min(outbox.created_at)) as "ageS"
          from outbox where outbox.sent_at is null group by outbox.kind) as one) as outbox,
       (select count(*)::integer from alive) as workers,
       (select coalesce(jsonb_agg(one), '[]') from (
          select living.version, count(*) as count from living
          where not exists (select from alive where living.version = any (alive.versions))
          group by living.version) as one) as stranded,
       $2::integer - ${CLAIM_DAYS_THERE}::integer as "claimDaysMissing"`,
    [WORKER_ALIVE_MS, CLAIM_DAYS_NEEDED],
  );
  return theRow(rows);
}
