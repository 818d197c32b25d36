import type { Tx } from '../database/database.js';

/**
 * Gives the run to an execution, if it still belongs to `from` (null: to nobody). Answers whether
 * it does now.
 */
export async function claimExecution(
  tx: Tx,
  run: string,
  from: string | null,
  to: string,
): Promise<boolean> {
  const written = await tx.query(
    `update runs set execution = $3::text
     where id = $1::text and execution is not distinct from $2::text`,
    [run, from, to],
  );
  return written.rowCount === 1;
}
