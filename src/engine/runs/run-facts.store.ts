import type { Queryable } from '../database/database.js';
import type { JournalLine } from '../saga/journal.js';
import type { Direction } from '../saga/step-key.js';

/** A line of the journal, with the instant it was written. */
export interface TimedLine {
  readonly seq: number;
  readonly at: Date;
  readonly line: Omit<JournalLine, 'seq'>;
}

/** One call to a provider, as it was begun and as it ended. */
export interface AttemptFact {
  readonly step: string;
  readonly direction: Direction;
  readonly attempt: number;
  readonly state: 'sending' | 'done' | 'refused' | 'again' | 'unknown';
  readonly beganAt: Date;
  readonly sendBy: Date;
  readonly endedAt: Date | null;
  readonly detail: string | null;
  readonly providerId: string | null;
  readonly worker: string;
}

/** A key that a provider was given, or that nothing may use any more. */
export interface KeyFact {
  readonly step: string;
  readonly direction: Direction;
  readonly key: string;
  readonly providerId: string | null;
  readonly firstSentAt: Date | null;
  readonly askedAt: Date | null;
  readonly asked: number;
  readonly closedAt: Date | null;
}

export interface InterventionFact {
  readonly at: Date;
  readonly who: string;
  readonly action: string;
  readonly caseId: string | null;
  readonly reason: string | null;
  readonly evidence: string | null;
}

/** The lines of a run beyond `after`, the first one first. */
export async function readTimeline(
  db: Queryable,
  run: string,
  after = 0,
): Promise<readonly TimedLine[]> {
  const { rows } = await db.query<TimedLine>(
    `select seq, at, line from journal
     where run = $1::text and seq > $2::integer order by seq`,
    [run, after],
  );
  return rows;
}

/** How many lines the journals of these runs have. */
export async function readLengths(
  db: Queryable,
  runs: readonly string[],
): Promise<readonly { readonly run: string; readonly seq: number }[]> {
  const { rows } = await db.query<{ run: string; seq: number }>(
    `select id as run, last_seq as seq from runs where id = any ($1::text[])`,
    [runs],
  );
  return rows;
}

/** The attempts of a run, or of one call of it, in the order in which they were begun. */
export async function readAttempts(
  db: Queryable,
  run: string,
  call: { readonly step: string; readonly direction: Direction } | null,
): Promise<readonly AttemptFact[]> {
  const { rows } = await db.query<AttemptFact>(
    `select step, direction, attempt, state, began_at as "beganAt", send_by as "sendBy",
            ended_at as "endedAt", detail, provider_id as "providerId", worker
     from attempts
     where run = $1::text and ($2::text is null or (step = $2::text and direction = $3::text))
     order by began_at, step, direction, attempt`,
    [run, call?.step ?? null, call?.direction ?? null],
  );
  return rows;
}

/** The keys of a run, by step. */
export async function readKeys(db: Queryable, run: string): Promise<readonly KeyFact[]> {
  const { rows } = await db.query<KeyFact>(
    `select step, direction, key, provider_id as "providerId", first_sent_at as "firstSentAt",
            asked_at as "askedAt", asked, closed_at as "closedAt"
     from step_keys where run = $1::text order by first_sent_at nulls last, step, direction`,
    [run],
  );
  return rows;
}

/** Who changed the course of a run, the first one first. */
export async function readInterventions(
  db: Queryable,
  run: string,
): Promise<readonly InterventionFact[]> {
  const { rows } = await db.query<InterventionFact>(
    `select at, who, action, case_id as "caseId", reason, evidence
     from interventions where run = $1::text order by id`,
    [run],
  );
  return rows;
}
