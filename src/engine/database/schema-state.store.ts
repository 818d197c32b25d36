import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sqlState, type Queryable } from './database.js';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const UNDEFINED_TABLE = '42P01';

/**
 * The migrations that this program brings and the database lacks, in their order; none when the
 * schema is new enough. One that is newer than the program is no reason to stop.
 */
export async function missingMigrations(database: Queryable): Promise<readonly string[]> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'));
  const applied = new Set(await appliedMigrations(database));
  return files
    .map((file) => file.slice(0, -'.sql'.length))
    .filter((name) => !applied.has(name))
    .toSorted();
}

async function appliedMigrations(database: Queryable): Promise<readonly string[]> {
  try {
    const { rows } = await database.query<{ name: string }>(`select name from schema_migrations`);
    return rows.map((row) => row.name);
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}
