import type { Problem } from '../saga/journal.js';
import type { Direction } from '../saga/step-key.js';
import type { Instruments } from './instruments.js';
import type { NameOf } from './metric-definitions.js';
import type { RecordFacts } from './record-facts.store.js';

const STATES = ['running', 'undoing', 'needs_reconciliation'];
const KINDS = ['start', 'cancel', 'look'];
const DIRECTIONS: readonly Direction[] = ['do', 'undo'];
const PROBLEMS: Readonly<Record<Problem, true>> = {
  'unknown-outcome': true,
  'undo-stuck': true,
  'forward-stuck': true,
  'found-differs': true,
  'nothing-to-undo': true,
  'key-window-passed': true,
  contradiction: true,
};

/** All that follow from the facts, and are absent while they cannot be read. */
const OF_THE_RECORD: readonly NameOf<'gauge'>[] = [
  'recourse_runs',
  'recourse_run_age_max_seconds',
  'recourse_run_silence_max_seconds',
  'recourse_open_cases',
  'recourse_open_case_age_max_seconds',
  'recourse_outbox_waiting',
  'recourse_outbox_lag_seconds',
  'recourse_workers',
  'recourse_runs_without_worker',
  'recourse_claim_days_missing',
];

/**
 * Sets the gauges of the record; null: it could not be read. Where nothing is there is a 0, so that
 * whoever watches can tell "none" from "nobody knows".
 */
export function setRecordGauges(instruments: Instruments, facts: RecordFacts | null): void {
  for (const name of OF_THE_RECORD) instruments.forget(name);
  instruments.gauge('recourse_database_up').set(facts === null ? 0 : 1);
  if (facts === null) return;
  setRuns(instruments, facts);
  setCases(instruments, facts);
  for (const kind of KINDS) {
    const count = facts.outbox.find((one) => one.kind === kind)?.count ?? 0;
    instruments.gauge('recourse_outbox_waiting').set({ kind }, count);
  }
  const lagS = Math.max(0, ...facts.outbox.map((one) => one.ageS));
  instruments.gauge('recourse_outbox_lag_seconds').set(lagS);
  instruments.gauge('recourse_workers').set(facts.workers);
  instruments.gauge('recourse_claim_days_missing').set(facts.claimDaysMissing);
}

function setRuns(instruments: Instruments, { runs, stranded }: RecordFacts): void {
  for (const state of STATES) {
    const found = runs.find((one) => one.state === state);
    instruments.gauge('recourse_runs').set({ state }, found?.count ?? 0);
    instruments.gauge('recourse_run_age_max_seconds').set({ state }, found?.ageS ?? 0);
    instruments.gauge('recourse_run_silence_max_seconds').set({ state }, found?.silenceS ?? 0);
  }
  for (const { version, count } of stranded) {
    instruments.gauge('recourse_runs_without_worker').set({ version }, count);
  }
}

function setCases(instruments: Instruments, { cases }: RecordFacts): void {
  for (const problem of Object.keys(PROBLEMS)) {
    for (const direction of DIRECTIONS) {
      const of = (one: { problem: string; direction: string }): boolean =>
        one.problem === problem && one.direction === direction;
      const found = cases.find(of);
      const labels = { problem, direction };
      instruments.gauge('recourse_open_cases').set(labels, found?.count ?? 0);
      instruments.gauge('recourse_open_case_age_max_seconds').set(labels, found?.ageS ?? 0);
    }
  }
}
