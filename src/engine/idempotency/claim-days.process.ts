import type { Database } from '../database/database.js';
import type { Logger } from '../telemetry/logger.js';
import { dropClaimDay, makeClaimDays, missingClaimDays } from './claim-days.store.js';

/** A clock that is far ahead costs a day of claims an hour, and not all of them at once. */
const DROP_EVERY_MS = 3_600_000;

/**
 * Answers what the sweep does about the days of claims, once a minute: the days that will be needed
 * are made, one that is over is dropped, and one that is missing is said, each time, because no key
 * can be claimed until a person has seen to it.
 */
export function keepClaimDays(database: Database, log: Logger): () => Promise<void> {
  let dropAt = 0;
  return async () => {
    await makeClaimDays(database);
    if (performance.now() >= dropAt && (await dropClaimDay(database)) !== null) {
      dropAt = performance.now() + DROP_EVERY_MS;
    }
    const missing = await missingClaimDays(database);
    if (missing.length === 0) return;
    log.error('a day of claims is missing, and no key can be claimed: docs/production.md', {
      subject: missing.join(','),
    });
  };
}
