import { sqlState } from '../engine/database/database.js';
import { cannotBeUsed, placeOf } from '../engine/database/database-place.js';
import { isDatabaseUnavailable } from '../engine/database/unavailable.js';
import { CliFailure } from './cli-failure.js';

const SCHEMA_MISSING = new Set(['42P01', '42703']);

/** An error of a database as a line for a person, never with its password; others as they are. */
export function databaseFailure(url: string, error: unknown): unknown {
  const state = sqlState(error);
  if (state === undefined && !isDatabaseUnavailable(error)) return error;
  const place = placeOf(url);
  if (state !== undefined && SCHEMA_MISSING.has(state)) {
    return new CliFailure(
      `the database ${place} lacks the schema: run npx recourse migrate first`,
      {
        cause: error,
      },
    );
  }
  const { message, code } = error as NodeJS.ErrnoException;
  return new CliFailure(cannotBeUsed(url, message || code || 'it does not say why'), {
    cause: error,
  });
}
