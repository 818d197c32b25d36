import type { Tx } from '../database/database.js';

/** Somebody changed the course of a run. `before` and `after` hold names and numbers only. */
export interface Intervention {
  readonly run: string;
  readonly caseId: string | null;
  readonly who: string;
  readonly action: string;
  readonly reason: string | null;
  readonly evidence: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Puts on record who did what and why, before it acts and in the same transaction. */
export async function recordIntervention(tx: Tx, intervention: Intervention): Promise<void> {
  await tx.query(
    `insert into interventions (run, case_id, who, action, reason, evidence, before, after)
     values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::jsonb, $8::jsonb)`,
    [
      intervention.run,
      intervention.caseId,
      intervention.who,
      intervention.action,
      intervention.reason,
      intervention.evidence,
      JSON.stringify(intervention.before),
      JSON.stringify(intervention.after),
    ],
  );
}
