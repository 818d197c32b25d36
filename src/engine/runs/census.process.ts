import type { Database } from '../database/database.js';
import type { Logger } from '../telemetry/logger.js';
import { UNWATCHED, type RelayMeters } from '../telemetry/meters.js';
import { strangersAmong } from './older-record.store.js';
import { isStalled, type TemporalRuns } from './temporal-runs.js';

export interface CensusSettings {
  readonly database: Database;
  readonly temporal: TemporalRuns;
  readonly log: Logger;
  /** @default nobody watches */
  readonly meters?: RelayMeters;
}

/** So that one census ends, however much was forgotten; the next one begins anew. */
const MOST_PAGES = 10;

/** An execution whose run has just ended is about to close by itself. */
const OUTLIVES_MS = 60_000;

/**
 * Makes the counting of executions that Temporal has and, by the record, should not have. A run is
 * started only once it is on record, so one that is not proves that the record was restored from an
 * older copy, or that another installation shares the namespace. Each is said once in the log of a
 * process: nothing is done for it, because its order is lost. One whose run has ended shows that
 * Temporal was restored from an older copy: it is told to look, and ends, or is ended. The walk is
 * from the newest back, and ends with the first page that has none. Rejects with `TemporalFault`.
 */
export function createCensus(settings: CensusSettings): () => Promise<void> {
  const said = new Set<string>();
  const isNew = (run: string): boolean => !said.has(run) && said.add(run).has(run);
  return async () => {
    await walk(settings, 'running', isNew);
    await walk(settings, 'closed', isNew);
  };
}

async function walk(
  settings: CensusSettings,
  which: 'running' | 'closed',
  isNew: (run: string) => boolean,
): Promise<void> {
  let after: Uint8Array | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { runs, next } = await settings.temporal.listExecutions(which, after);
    const strangers = await strangersAmong(settings.database, runs, OUTLIVES_MS);
    const amiss = strangers.filter(({ is }) => is === 'forgotten' || which === 'running');
    for (const { run, is } of amiss) {
      if (is === 'ended') await endOutlived(settings, run, isNew);
      else if (isNew(run)) say(settings, run, which);
    }
    if (next === null || amiss.length === 0) return;
    after = next;
  }
}

/**
 * A worker that lived through the restore may go on with what it remembers of an execution, and so
 * write a history that no worker can follow: such a one never ends by itself.
 */
async function endOutlived(
  { temporal, log }: CensusSettings,
  run: string,
  isNew: (run: string) => boolean,
): Promise<void> {
  const execution = await temporal.describe(run);
  if (execution.status !== 'running') return;
  if (!isStalled(execution)) {
    // Once, since whoever hears it not for want of a worker would find a heap of signals.
    if (isNew(run)) await temporal.look(run);
    return;
  }
  await temporal.terminate(run, execution.runId);
  log.warn('an execution was terminated that could not end, though its run has', { run });
}

function say({ log, meters = UNWATCHED }: CensusSettings, run: string, which: string): void {
  meters.looked('forgotten');
  const text = 'Temporal has a run that is not on record: the record is an older one';
  log.error(text, { run, state: which.toUpperCase() });
}
