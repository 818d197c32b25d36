import type { Logger } from '../telemetry/logger.js';
import type { TemporalRuns } from './temporal-runs.js';

/**
 * Says at start that Temporal cannot be used, and why, by its code: whoever set it up wrongly
 * should not have to wait for the first booking to hear of it. Never rejects.
 */
export async function sayIfAway(
  temporal: Pick<TemporalRuns, 'problem'>,
  log: Logger,
): Promise<void> {
  const problem = await temporal.problem();
  if (problem === null) return;
  log.warn('Temporal cannot be used yet; what it must be told waits', { error: problem });
}
