import type { Tx } from '../database/database.js';
import { runInputPlace } from '../journal/sealed-places.js';
import type { SagaDefinition } from '../saga/definition.js';
import { foldJournal } from '../saga/run-state.js';
import { viewRun } from '../saga/run-view.js';
import type { Sealer } from '../sealing/seal.js';

export interface NewRun {
  readonly id: string;
  readonly account: string;
  readonly definition: SagaDefinition;
  /** The account's own name for it; null: none. At most one living run has it. */
  readonly reference: string | null;
  readonly input: unknown;
  /** How long after its last news the sweep first looks at it, in milliseconds. */
  readonly lookAfterMs: number;
}

/** Thrown when another living run of the account has this reference. */
export class ReferenceInUse extends Error {
  constructor(
    readonly reference: string,
    readonly run: string,
  ) {
    super('another run of this account has this reference');
    this.name = 'ReferenceInUse';
  }
}

/**
 * Accepts a run: its row, its first journal line and event, and the message that starts it are one
 * transaction with whatever else `tx` holds. Once that has committed the run is started exactly
 * once, whatever dies. The deadline counts from here, by the database's clock. Answers false, with
 * nothing written, when another run has this id. Throws ReferenceInUse.
 */
export async function acceptRun(tx: Tx, sealer: Sealer, run: NewRun): Promise<boolean> {
  await refuseTakenReference(tx, run);
  const { definition } = run;
  const view = viewRun(foldJournal(definition, [{ seq: 1, kind: 'accepted' }]));
  const { rowCount } = await tx.query(
    `with run as (
       insert into runs (id, account, saga, version, rules, reference, input, steps, last_seq,
                         deadline_at, look_after_ms, look_wait_ms, look_at, event_xid)
       values ($1::text, $2::text, $3::text, $4::integer, $5::integer, $6::text, $7::bytea,
               $8::jsonb, 1, now() + $9::bigint * interval '1 millisecond', $10::integer,
               $10::integer, now() + $10::integer * interval '1 millisecond',
               pg_current_xact_id())
       on conflict (id) do nothing
       returning id, account, saga, status, event_xid),
     line as (insert into journal (run, seq, line)
              select id, 1, '{"kind": "accepted"}'::jsonb from run
              returning seq, at),
     event as (insert into events (xid, account, run, seq, saga, status, created_at)
               select event_xid, account, id, seq, saga, status, at from run, line)
     insert into outbox (kind, run) select 'start', id from run`,
    [
      run.id,
      run.account,
      definition.name,
      definition.version,
      definition.rules,
      run.reference,
      sealer.seal(run.input, runInputPlace(run.id)),
      JSON.stringify(view.steps),
      definition.deadlineMs,
      run.lookAfterMs,
    ],
  );
  return rowCount === 1;
}

async function refuseTakenReference(tx: Tx, run: NewRun): Promise<void> {
  if (run.reference === null) return;
  // The lock makes a second acceptance wait until the first is decided, so that it can name it.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1::text, 0))`, [
    JSON.stringify(['reference', run.account, run.reference]),
  ]);
  const found = await tx.query<{ id: string }>(
    `select id from runs
     where account = $1::text and reference = $2::text
       and status not in ('failed', 'cancelled')
       and not (status = 'closed' and remains = '[]'::jsonb)`,
    [run.account, run.reference],
  );
  if (found.rows[0] !== undefined) throw new ReferenceInUse(run.reference, found.rows[0].id);
}
