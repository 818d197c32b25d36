import { inTransaction, type Database } from '../../src/engine/database/database.js';
import type { NewRun } from '../../src/engine/runs/accept-runs.js';
import { acceptRuns } from '../../src/engine/runs/accept-runs.store.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import type { Sealer } from '../../src/engine/sealing/seal.js';

const COMMON = { account: 'acme', lookAfterMs: 60_000 };

/** Accepts a run for acme without a request, as what a test goes on with. */
export async function acceptRun(
  { database, sealer }: { readonly database: Database; readonly sealer: Sealer },
  { id, definition, input = null }: Partial<NewRun> & { id: string; definition: SagaDefinition },
): Promise<void> {
  const run = { id, reference: null, input };
  await inTransaction(database, (tx) => acceptRuns(tx, sealer, { ...COMMON, definition }, [run]));
}
