import { openDatabase, type Database } from '../engine/database/database.js';
import { runMigrations } from '../engine/database/migrate.js';
import { postgresProblem } from '../local/local-postgres.store.js';
import { CliFailure } from './cli-failure.js';
import { cannotBeUsed } from '../engine/database/database-place.js';
import { databaseFailure } from './database-failure.js';

/** Does some work on a database and lets go of it. Throws CliFailure when it cannot be used. */
export async function useDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ url, name: 'recourse-cli', connections: 1 });
  try {
    return await work(database);
  } catch (error) {
    throw databaseFailure(url, error);
  } finally {
    await database.end();
  }
}

/**
 * Brings a database to the newest schema, as `runMigrations` does. Throws CliFailure when it cannot
 * be used; what was applied before that stays.
 */
export async function migrateDatabase(url: string): Promise<readonly string[]> {
  const problem = await postgresProblem(url);
  if (problem !== undefined) throw new CliFailure(cannotBeUsed(url, problem));
  try {
    return await runMigrations(url);
  } catch (error) {
    throw databaseFailure(url, error);
  }
}
