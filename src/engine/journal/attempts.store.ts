import { theRow, type Queryable, type Tx } from '../database/database.js';
import { stepKey, type Direction } from '../saga/step-key.js';

/** One call of a step of a run. */
export interface CallOf {
  readonly run: string;
  readonly step: string;
  readonly direction: Direction;
}

/** The call that something longer speaks of. */
export function callOf({ run, step, direction }: CallOf): CallOf {
  return { run, step, direction };
}

export interface KeyRow {
  readonly input: Buffer | null;
  readonly value: Buffer | null;
  readonly firstSentAt: Date | null;
  readonly askedAt: Date | null;
  readonly asked: number;
  readonly closedAt: Date | null;
}

export interface AttemptRow {
  readonly state: 'sending' | 'done' | 'refused' | 'again' | 'unknown';
  readonly token: string;
  readonly beganAt: Date;
  readonly sendBy: Date;
}

/** The row of a key, or undefined while no attempt was begun and the key is not closed. */
export async function readKey(db: Queryable, call: CallOf): Promise<KeyRow | undefined> {
  const found = await db.query<KeyRow>(
    `select input, value, first_sent_at as "firstSentAt", asked_at as "askedAt", asked,
            closed_at as "closedAt"
     from step_keys
     where run = $1::text and step = $2::text and direction = $3::text`,
    [call.run, call.step, call.direction],
  );
  return found.rows[0];
}

/** Writes the row of a key once, with the sealed input that every later attempt reads. */
export async function openKey(tx: Tx, call: CallOf, input: Buffer | null): Promise<void> {
  await tx.query(
    `insert into step_keys (run, step, direction, key, input)
     values ($1::text, $2::text, $3::text, $4::text, $5::bytea)
     on conflict (run, step, direction)
       do update set input = coalesce(step_keys.input, excluded.input)`,
    [call.run, call.step, call.direction, stepKey(call.run, call.step, call.direction), input],
  );
}

/** Lets nothing through this key from now on. */
export async function closeKey(tx: Tx, call: CallOf): Promise<void> {
  await tx.query(
    `update step_keys set closed_at = coalesce(closed_at, clock_timestamp())
     where run = $1::text and step = $2::text and direction = $3::text`,
    [call.run, call.step, call.direction],
  );
}

/** The row of one attempt, or undefined. */
export async function readAttempt(
  db: Queryable,
  call: CallOf,
  attempt: number,
): Promise<AttemptRow | undefined> {
  const found = await db.query<AttemptRow>(
    `select state, token, began_at as "beganAt", send_by as "sendBy"
     from attempts
     where run = $1::text and step = $2::text and direction = $3::text and attempt = $4::integer`,
    [call.run, call.step, call.direction, attempt],
  );
  return found.rows[0];
}

export interface NewAttempt {
  readonly attempt: number;
  readonly token: string;
  readonly timeoutMs: number;
  readonly worker: string;
}

/**
 * Writes the intention before the act: the attempt's row as `sending`, with the last instant at
 * which it may be sent by the database's clock. Answers that instant. A second row of one attempt
 * is refused by the primary key.
 */
export async function insertAttempt(tx: Tx, call: CallOf, attempt: NewAttempt): Promise<Date> {
  const written = await tx.query<{ send_by: Date }>(
    `with sent as (
       update step_keys set first_sent_at = coalesce(first_sent_at, clock_timestamp())
       where run = $1::text and step = $2::text and direction = $3::text)
     insert into attempts (run, step, direction, attempt, state, token, send_by, worker)
     values ($1::text, $2::text, $3::text, $4::integer, 'sending', $5::uuid,
             clock_timestamp() + $6::integer * interval '1 millisecond', $7::text)
     returning send_by`,
    [
      call.run,
      call.step,
      call.direction,
      attempt.attempt,
      attempt.token,
      attempt.timeoutMs,
      attempt.worker,
    ],
  );
  return theRow(written.rows).send_by;
}

export interface AttemptEnd {
  readonly state: 'done' | 'refused' | 'again' | 'unknown';
  readonly detail: string | null;
  readonly providerId: string | null;
}

/**
 * Settles an attempt, from `sending` or, with a late fact, from `unknown`. Answers false when it
 * was settled before: then nothing was written.
 */
export async function settleAttempt(
  tx: Tx,
  call: CallOf,
  attempt: number,
  end: AttemptEnd,
): Promise<boolean> {
  const from = end.state === 'unknown' ? ['sending'] : ['sending', 'unknown'];
  const written = await tx.query(
    `update attempts
     set state = $5::text, detail = $6::text, provider_id = $7::text, ended_at = clock_timestamp()
     where run = $1::text and step = $2::text and direction = $3::text
       and attempt = $4::integer and state = any($8::text[])`,
    [call.run, call.step, call.direction, attempt, end.state, end.detail, end.providerId, from],
  );
  return written.rowCount === 1;
}

/** Writes an attempt that was never begun as settled, so that a late begin of it sends nothing. */
export async function insertSpentAttempt(
  tx: Tx,
  call: CallOf,
  attempt: number,
  worker: string,
): Promise<void> {
  await tx.query(
    `insert into attempts
       (run, step, direction, attempt, state, token, send_by, ended_at, detail, worker)
     values ($1::text, $2::text, $3::text, $4::integer, 'again', gen_random_uuid(),
             clock_timestamp(), clock_timestamp(), 'never-begun', $5::text)`,
    [call.run, call.step, call.direction, attempt, worker],
  );
}

/** Keeps what a call came to, sealed, and the provider's own id for it. The first one stays. */
export async function keepValue(
  tx: Tx,
  call: CallOf,
  value: Buffer,
  providerId: string | null,
): Promise<void> {
  await tx.query(
    `update step_keys set value = $4::bytea, provider_id = $5::text
     where run = $1::text and step = $2::text and direction = $3::text and value is null`,
    [call.run, call.step, call.direction, value, providerId],
  );
}

/** How long this call has been tried, and when its last attempt may still land. */
export interface CallTimes {
  /** Milliseconds since the first attempt was begun. */
  readonly tryingMs: number;
  /** Milliseconds since the provider was first asked; 0 before. */
  readonly askingMs: number;
  /** Milliseconds until the last `send_by`; negative once it has passed. */
  readonly sendableMs: number;
}

/** Reads the times of a call by the database's clock. */
export async function readCallTimes(db: Queryable, call: CallOf): Promise<CallTimes> {
  const found = await db.query<CallTimes>(
    `select coalesce(extract(epoch from clock_timestamp() - min(attempts.began_at)) * 1000, 0)
              ::double precision as "tryingMs",
            coalesce(extract(epoch from clock_timestamp() - min(step_keys.asked_at)) * 1000, 0)
              ::double precision as "askingMs",
            coalesce(extract(epoch from max(attempts.send_by) - clock_timestamp()) * 1000, 0)
              ::double precision as "sendableMs"
     from step_keys left join attempts using (run, step, direction)
     where run = $1::text and step = $2::text and direction = $3::text`,
    [call.run, call.step, call.direction],
  );
  const { tryingMs, askingMs, sendableMs } = theRow(found.rows);
  return {
    tryingMs: Math.round(tryingMs),
    askingMs: Math.round(askingMs),
    sendableMs: Math.round(sendableMs),
  };
}

/** Notes that the provider is about to be asked. Answers how many answers came before. */
export async function noteAsked(tx: Tx, call: CallOf): Promise<number> {
  const written = await tx.query<{ before: number }>(
    `update step_keys
     set asked_at = coalesce(asked_at, clock_timestamp()), asked = asked + 1
     where run = $1::text and step = $2::text and direction = $3::text
     returning asked - 1 as before`,
    [call.run, call.step, call.direction],
  );
  return theRow(written.rows).before;
}

/** The sealed results of the steps that are done, by step. */
export async function readValues(
  db: Queryable,
  run: string,
): Promise<ReadonlyMap<string, Buffer | null>> {
  const found = await db.query<{ step: string; value: Buffer | null }>(
    `select step, value from step_keys where run = $1::text and direction = 'do'`,
    [run],
  );
  return new Map(found.rows.map((row) => [row.step, row.value]));
}
