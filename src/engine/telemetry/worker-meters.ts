import type { Ending } from '../saga/journal.js';
import type { Sagas } from '../sagas.js';
import type { Instruments } from './instruments.js';
import type { WorkerMeters } from './meters.js';
import { providerMeters } from './provider-meters.js';

const ENDINGS: readonly Ending[] = ['completed', 'undone', 'cancelled', 'closed_by_hand'];

/** Counts what a worker does. */
export function workerMeters(instruments: Instruments, sagas: Sagas): WorkerMeters {
  const records = instruments.histogram('recourse_attempt_record_duration_seconds');
  const unrecorded = instruments.counter('recourse_attempts_unrecorded_total');
  const ended = instruments.counter('recourse_runs_ended_total');
  const lacked = instruments.gauge('recourse_runs_lacked');
  // What was never counted is a 0, so that its first one shows as an increase.
  for (const phase of ['begin', 'end']) unrecorded.inc({ phase }, 0);
  for (const { name: saga } of sagas.set.sagas) {
    for (const ending of ENDINGS) ended.inc({ saga, ending }, 0);
  }
  return Object.freeze<WorkerMeters>({
    ...providerMeters(instruments, sagas),
    recorded: (phase, durationMs) => records.observe({ phase }, durationMs / 1_000),
    unrecorded: (phase) => unrecorded.inc({ phase }),
    ended: (saga, ending) => ended.inc({ saga, ending }),
    lacking(runs) {
      instruments.forget('recourse_runs_lacked');
      for (const { version, count } of runs) lacked.set({ version }, count);
    },
  });
}
