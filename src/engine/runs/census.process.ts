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

/** So that one census ends, however much there is; the next one goes on where it ended. */
const MOST_PAGES = 10;

/** An execution whose run has just ended is about to close by itself. */
const OUTLIVES_MS = 60_000;

/**
 * Makes the counting of executions that Temporal has and, by the record, should not have. A run is
 * started only once it is on record, so one that is not proves that the record was restored from an
 * older copy, or that another installation shares the namespace. Each is said once in the log of a
 * process: nothing is done for it, because its order is lost. One whose run has ended shows that
 * Temporal was restored from an older copy: it is told to look, and ends, or is ended. The walk is
 * from the newest back, ten pages a time, and begins anew once it has come to the end. Rejects with
 * `TemporalFault`; the next census then begins anew.
 */
export function createCensus(settings: CensusSettings): () => Promise<void> {
  const said = new Set<string>();
  const running = walker(settings, 'running', said);
  const closed = walker(settings, 'closed', said);
  return async () => {
    await running();
    await closed();
  };
}

function walker(
  settings: CensusSettings,
  which: 'running' | 'closed',
  said: Set<string>,
): () => Promise<void> {
  let kept: Uint8Array | null = null;
  return async () => {
    let after = kept;
    kept = null;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const { runs, next } = await settings.temporal.listExecutions(which, after);
      const strangers = await strangersAmong(settings.database, runs, OUTLIVES_MS);
      // Of executions that have closed, most are of runs that have ended: all is well with those.
      const amiss = strangers.filter(({ is }) => is === 'forgotten' || which === 'running');
      for (const { run, is } of amiss) {
        if (is === 'ended') await endOutlived(settings, run, said);
        else if (!said.has(run)) say(settings, run, which);
        said.add(run);
      }
      if (next === null) return;
      after = next;
    }
    kept = after;
  };
}

/**
 * A worker that lived through the restore may go on with what it remembers of an execution, and so
 * write a history that no worker can follow: such a one never ends by itself.
 */
async function endOutlived(
  { temporal, log }: CensusSettings,
  run: string,
  said: ReadonlySet<string>,
): Promise<void> {
  const execution = await temporal.describe(run);
  if (execution.status !== 'running') return;
  if (!isStalled(execution)) {
    // Once, since whoever hears it not for want of a worker would find a heap of signals.
    if (!said.has(run)) await temporal.look(run);
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
