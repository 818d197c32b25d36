import type { RunRecord } from '../../src/engine/journal/run-record.js';

/**
 * What this process remembers of runs that it worked on last, so that the next attempt is decided
 * without reading them again. It may be old: whatever is decided by it is written only if the run
 * has not changed since, and only such a decision counts.
 */
export interface KnownRuns {
  /** What is remembered of a run; it is forgotten with the asking. */
  take(run: string): RunRecord | undefined;
  keep(record: RunRecord): void;
}

/** Remembers at most so many runs, those that were worked on last. */
export function rememberRuns(most: number): KnownRuns {
  const records = new Map<string, RunRecord>();
  return {
    take(run) {
      const record = records.get(run);
      records.delete(run);
      return record;
    },
    keep(record) {
      records.delete(record.id);
      if (record.state.finishedAs !== null) return;
      records.set(record.id, record);
      const [oldest] = records.keys();
      if (records.size > most && oldest !== undefined) records.delete(oldest);
    },
  };
}
