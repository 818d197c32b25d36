import {
  inTransaction,
  notifyAfterCommit,
  type Database,
  type Queryable,
  type Tx,
} from '../database/database.js';

export const OUTBOX_CHANNEL = 'recourse_outbox';

export type MessageKind = 'start' | 'cancel' | 'look';

/** Something that Temporal must be told, with what the telling needs. */
export interface Message {
  readonly id: string;
  readonly kind: MessageKind;
  readonly run: string;
  readonly saga: string;
  readonly version: number;
  readonly account: string;
  readonly deadlineAt: Date | null;
  /** How often it was taken, this time included. */
  readonly tries: number;
  /** The run had ended when the message was taken: there is nobody left to tell. */
  readonly ended: boolean;
}

export interface TakeSettings {
  /** At most so many messages. */
  readonly batch: number;
  /** How long nobody else takes them; longer than sending and marking them can last. */
  readonly leaseMs: number;
  /** How old a `start` must be, because the API that accepted the run tries it at once. */
  readonly startGraceMs: number;
}

/** The place of a message among those of its run: what must be told first has the smallest. */
const placeOf = (message: string) =>
  `(array_position(array['start', 'cancel', 'look'], ${message}.kind), ${message}.id)`;

/**
 * Takes messages that are due and leases them to the caller: they are not due again for `leaseMs`,
 * by the database's clock. One statement, so no transaction is open while they are sent. Two relays
 * never take the same one at once; one that dies leaves its messages to the others when the lease
 * has passed.
 *
 * The order of a run's messages is kept: `start` before `cancel` before `look`, and the older
 * before the newer. A message is due only when those before it are marked sent, so at most one
 * message of a run is out at any time. Messages are found by their state and never by their number:
 * a row that a long transaction commits late, under a low number, is found like any other.
 */
export async function takeMessages(
  database: Database,
  { batch, leaseMs, startGraceMs }: TakeSettings,
): Promise<readonly Message[]> {
  const { rows } = await database.query<Message>(
    `with due as materialized (
       select message.id
       from outbox as message
       where message.sent_at is null
         and message.next_at <= now()
         and (message.kind <> 'start'
           or message.created_at <= now() - $3::integer * interval '1 millisecond')
         and not exists (
           select 1 from outbox as earlier
           where earlier.run = message.run and earlier.sent_at is null
             and ${placeOf('earlier')} < ${placeOf('message')})
       order by message.next_at
       limit $1::integer
       for update of message skip locked
     )
     update outbox
     set next_at = now() + $2::integer * interval '1 millisecond', tries = outbox.tries + 1
     from due, runs
     where outbox.id = due.id and runs.id = outbox.run
     returning outbox.id, outbox.kind, outbox.run, outbox.tries,
       runs.saga, runs.version, runs.account,
       runs.deadline_at as "deadlineAt", runs.ended_at is not null as ended`,
    [batch, leaseMs, startGraceMs],
  );
  return rows;
}

/**
 * Marks a message sent; false when it was already. Sending comes first, so a crash between the two
 * sends it again: every message is safe to send twice.
 */
export async function markSent(database: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update outbox set sent_at = now(), last_error = null
     where id = $1::bigint and sent_at is null`,
    [id],
  );
  return rowCount === 1;
}

/** Marks the `start` of runs sent, for the API, which starts them right after it accepted them. */
export async function markStartsSent(database: Queryable, runs: readonly string[]): Promise<void> {
  await database.query(
    `update outbox set sent_at = now(), last_error = null
     where run = any($1::text[]) and kind = 'start' and sent_at is null`,
    [runs],
  );
}

/**
 * Puts a message back for `waitMs`, with the code of what went wrong. False when it was sent or
 * taken anew meanwhile: then its lease belongs to somebody else.
 */
export async function markFailed(
  database: Queryable,
  message: Pick<Message, 'id' | 'tries'>,
  code: string,
  waitMs: number,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update outbox
     set next_at = now() + $4::integer * interval '1 millisecond', last_error = $3::text
     where id = $1::bigint and tries = $2::integer and sent_at is null`,
    [message.id, message.tries, code, waitMs],
  );
  return rowCount === 1;
}

/**
 * Marks a message sent that found nobody to tell, and has the sweep look at its run at once, unless
 * the run has ended. Both or neither, so no news is lost: a run that is started again reads them in
 * its journal.
 */
export async function leaveToSweep(
  database: Database,
  { id, run }: Pick<Message, 'id' | 'run'>,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    await tx.query(
      `update runs set look_at = now()
       where id = $1::text and ended_at is null and look_at > now()`,
      [run],
    );
    await markSent(tx, id);
  });
}

/**
 * Wakes the relays once the transaction has committed; without it they come by within a second. Not
 * for a `start`, which the API sends by itself.
 */
export function notifyOutbox(tx: Tx): void {
  notifyAfterCommit(tx, OUTBOX_CHANNEL, '');
}
