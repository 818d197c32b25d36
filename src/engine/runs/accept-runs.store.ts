import { theRow, type Tx } from '../database/database.js';
import { runInputPlace } from '../journal/sealed-places.js';
import type { Sealer } from '../sealing/seal.js';
import { accepted, type Acceptance, type Ground, type NewRun } from './accept-runs.js';

/**
 * Looks at what decides whether an account's runs can be accepted. Until the transaction ends
 * nobody else has a run accepted under one of these references: who comes second waits, so that it
 * can be told which run has it.
 */
export async function lookBeforeAccepting(
  tx: Tx,
  account: string,
  runs: readonly Pick<NewRun, 'id' | 'reference'>[],
): Promise<Ground> {
  const references = runs.flatMap(({ reference }) => (reference === null ? [] : [reference]));
  // Both in one round trip, and the look after the locks.
  const locked = references.length === 0 ? null : lockReferences(tx, account, references);
  const [ground] = await Promise.all([readGround(tx, account, runs, references), locked]);
  return ground;
}

/** In one order, so that two who lock the same ones never wait for each other. */
function lockReferences(tx: Tx, account: string, references: readonly string[]): Promise<unknown> {
  const names = references.map((reference) => JSON.stringify(['reference', account, reference]));
  return tx.query(
    `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name`,
    [[...new Set(names)].toSorted()],
  );
}

/**
 * Each id is looked for by itself: of a plan that was made while the table was empty, and is kept,
 * no more is known than that it uses an index, and that of the account has an entry for each run.
 */
async function readGround(
  tx: Tx,
  account: string,
  runs: readonly Pick<NewRun, 'id'>[],
  references: readonly string[],
): Promise<Ground> {
  const { rows } = await tx.query<{ now: Date; taken: string[]; living: Record<string, string> }>(
    `select now() as now,
       array(select asked.id from unnest($2::text[]) as asked (id)
             cross join lateral (select from runs where runs.id = asked.id limit 1) as run
            ) as taken,
       (select coalesce(jsonb_object_agg(reference, id), '{}'::jsonb) from runs
        where account = $1::text and reference = any($3::text[])
          and status not in ('failed', 'cancelled')
          and not (status = 'closed' and remains = '[]'::jsonb)) as living`,
    [account, runs.map(({ id }) => id), references],
  );
  const { now, taken, living } = theRow(rows);
  return { account, now, takenIds: new Set(taken), living: new Map(Object.entries(living)) };
}

/**
 * Accepts runs: their rows, first journal lines and events, and the messages that start them are
 * one transaction with whatever else `tx` holds. Once that has committed each is started exactly
 * once, whatever dies. Deadlines count from its begin, by the database's clock. Throws what
 * Postgres throws when an id or a reference is taken.
 */
export async function acceptRuns(
  tx: Tx,
  sealer: Sealer,
  { account, definition, lookAfterMs }: Acceptance,
  runs: readonly NewRun[],
): Promise<void> {
  await tx.query(
    `with run as (
       insert into runs (id, account, saga, version, rules, reference, input, steps, last_seq,
                         deadline_at, look_after_ms, look_wait_ms, look_at, event_xid)
       select id, $4::text, $5::text, $6::integer, $7::integer, reference, input,
              $8::jsonb, 1, now() + $9::bigint * interval '1 millisecond', $10::integer,
              $10::integer, now() + $10::integer * interval '1 millisecond',
              pg_current_xact_id()
       from unnest($1::text[], $2::text[], $3::bytea[]) as one (id, reference, input)
       returning id, account, saga, status, event_xid),
     line as (insert into journal (run, seq, line)
              select id, 1, '{"kind": "accepted"}'::jsonb from run
              returning run, seq, at),
     event as (insert into events (xid, account, run, seq, saga, status, created_at)
               select event_xid, account, id, seq, saga, status, at
               from run join line on line.run = run.id)
     insert into outbox (kind, run) select 'start', id from run`,
    [
      runs.map(({ id }) => id),
      runs.map(({ reference }) => reference),
      runs.map(({ id, input }) => sealer.seal(input, runInputPlace(id))),
      account,
      definition.name,
      definition.version,
      definition.rules,
      JSON.stringify(accepted(definition).steps),
      definition.deadlineMs,
      lookAfterMs,
    ],
  );
}
