import { inTransaction, type Database, type Tx } from './database.js';

/**
 * Runs `work` as `inTransaction` does and rolls back all of it, whatever came of it, and answers
 * what it answers: so what would happen is worked out by the very code that does it. It waits for
 * locks as the work itself would. Throws what `work` throws.
 */
export async function rehearse<Result>(
  database: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const never = inTransaction(database, async (tx) => {
    throw new Rehearsed(await work(tx));
  });
  return never.catch((error: unknown) => {
    if (error instanceof Rehearsed) return error.result as Result;
    throw error;
  });
}

/** Thrown to have the transaction rolled back. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';

  constructor(readonly result: unknown) {
    super('rehearsed, and rolled back');
  }
}
