import { setTimeout as pause } from 'node:timers/promises';
import { logChanges } from '../telemetry/change-log.js';
import type { Logger } from '../telemetry/logger.js';
import { cannotBeUsed, placeOf } from './database-place.js';
import { sqlState, type Database } from './database.js';
import { lockProblem } from './in-account.store.js';
import { missingMigrations } from './schema-state.store.js';
import { isDatabaseUnavailable } from './unavailable.js';

/** Thrown at start where waiting does not help; its message is one line for a person. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable';
}

const AGAIN_MS = 500;
/** How the client library begins when it has no password to answer with: it gives this no code. */
const NO_PASSWORD = 'SASL';

/**
 * Waits for a database that is away, which it says once, and looks whether it lets us in and has
 * the schema of this program: migrating is a decision of whoever deploys. Throws DatabaseUnusable.
 */
export async function awaitSchema(database: Database, url: string, log: Logger): Promise<void> {
  const changes = logChanges(log, 'database');
  for (;;) {
    try {
      const missing = await missingMigrations(database);
      changes.up();
      if (missing.length === 0) return;
      throw new DatabaseUnusable(
        `the database ${placeOf(url)} lacks ${missing.join(', ')}: ` +
          'run `npx recourse migrate` first',
      );
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw refusal(url, error);
      changes.down(error);
      await pause(AGAIN_MS);
    }
  }
}

/**
 * As `awaitSchema`, for who serves customers: the second lock must be there too. Throws
 * DatabaseUnusable.
 */
export async function awaitLockedSchema(
  database: Database,
  url: string,
  log: Logger,
): Promise<void> {
  await awaitSchema(database, url, log);
  await checkLock(database, url);
}

/**
 * Looks whether the requests of customers can be locked to their accounts, which no migration can
 * see to where another user runs the process. Throws DatabaseUnusable.
 */
export async function checkLock(database: Database, url: string): Promise<void> {
  const problem = await lockProblem(database);
  if (problem === null) return;
  throw new DatabaseUnusable(`the database ${placeOf(url)} cannot be used: ${problem}`);
}

/** What the server or the client library refuses is the matter of a person; the rest is a bug. */
function refusal(url: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnusable) return error;
  const isRefusal = sqlState(error) !== undefined || error.message.startsWith(NO_PASSWORD);
  return isRefusal ? new DatabaseUnusable(cannotBeUsed(url, error.message)) : error;
}
