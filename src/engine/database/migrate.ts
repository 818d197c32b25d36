import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { makeClaimDays } from '../idempotency/claim-days.store.js';
import { openDatabase } from './database.js';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Brings the database to the newest schema and answers the names of what was applied now. Safe to
 * run by many processes at once: they wait for each other under an advisory lock. Each file is one
 * transaction: a crash leaves the schema before it or after it. Then the days are made on which
 * claims will be over, as the relay does; a crash before that leaves it to the relay.
 */
export async function runMigrations(databaseUrl: string): Promise<readonly string[]> {
  const applied = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    advisoryLockMode: 'wait',
    logger: { info: nothing, warn: nothing, error: nothing },
  });
  const database = openDatabase({ url: databaseUrl, name: 'recourse-migrate', connections: 1 });
  try {
    await makeClaimDays(database);
  } finally {
    await database.end();
  }
  return applied.map((migration) => migration.name);
}

function nothing(): void {
  // The runner prints every statement; the caller says in one line what was applied.
}
