import type { Queryable } from '../database/database.js';
import { isDatabaseUnavailable } from '../database/unavailable.js';
import { missingClaimDays } from '../idempotency/claim-days.store.js';
import type { TemporalRuns } from '../runs/temporal-runs.js';
import { versionsWithoutWorker } from './readiness.store.js';

/** Whom a run needs to go on. */
export interface Surroundings {
  readonly database: Queryable;
  readonly temporal: Pick<TemporalRuns, 'isReady'>;
}

/**
 * What is missing for the runs that live to go on, as a person would name it: the database,
 * Temporal, a worker with their version; and a day of claims, without which none is accepted.
 * Nothing: all is there. Rejects with what is a bug.
 */
export async function missingParts({ database, temporal }: Surroundings): Promise<string[]> {
  const temporalAnswers = temporal.isReady();
  const [record, isThere] = await Promise.all([missingInRecord(database), temporalAnswers]);
  return [...record, ...(isThere ? [] : ['temporal'])];
}

async function missingInRecord(database: Queryable): Promise<readonly string[]> {
  try {
    const [versions, days] = await Promise.all([
      versionsWithoutWorker(database),
      missingClaimDays(database),
    ]);
    return [
      ...versions.map((version) => `a worker with ${version}`),
      ...days.map((day) => `the table ${day}`),
    ];
  } catch (error) {
    if (isDatabaseUnavailable(error)) return ['database'];
    throw error;
  }
}
