import type { Answer } from '../providers/answer.js';
import type { AnyAct } from '../saga/act.js';
import type { Ending } from '../saga/journal.js';
import type { Sagas } from '../sagas.js';
import type { Instruments } from './instruments.js';
import type { WorkerMeters } from './meters.js';

const ENDINGS: readonly Ending[] = ['completed', 'undone', 'cancelled', 'closed_by_hand'];

/** Counts what a worker does. */
export function workerMeters(instruments: Instruments, sagas: Sagas): WorkerMeters {
  const calls = instruments.histogram('recourse_provider_call_duration_seconds');
  const answers = instruments.counter('recourse_provider_answers_total');
  const records = instruments.histogram('recourse_attempt_record_duration_seconds');
  const unrecorded = instruments.counter('recourse_attempts_unrecorded_total');
  const ended = instruments.counter('recourse_runs_ended_total');
  const lacked = instruments.gauge('recourse_runs_lacked');
  const names = namesOf(sagas);
  // What was never counted is a 0, so that its first one shows as an increase.
  for (const phase of ['begin', 'end']) unrecorded.inc({ phase }, 0);
  for (const { name: saga } of sagas.set.sagas) {
    for (const ending of ENDINGS) ended.inc({ saga, ending }, 0);
  }
  return Object.freeze<WorkerMeters>({
    called(act, outcome, durationMs) {
      const name = names.get(act);
      if (name !== undefined) calls.observe({ ...name, outcome }, durationMs / 1_000);
    },
    exchanged: (provider, answer) => answers.inc({ provider, answer: answerClass(answer) }),
    recorded: (phase, durationMs) => records.observe({ phase }, durationMs / 1_000),
    unrecorded: (phase) => unrecorded.inc({ phase }),
    ended: (saga, ending) => ended.inc({ saga, ending }),
    lacking(runs) {
      instruments.forget('recourse_runs_lacked');
      for (const { version, count } of runs) lacked.set({ version }, count);
    },
  });
}

interface ActNames {
  readonly provider: string;
  readonly act: string;
  readonly direction: 'do' | 'undo' | 'find';
}

const DIRECTIONS = { act: 'do', undo: 'undo', find: 'find' } as const;

function namesOf({ set }: Sagas): ReadonlyMap<AnyAct, ActNames> {
  const providerOf = (act: AnyAct | undefined): string => {
    if (act === undefined) return 'none';
    return act.kind === 'act' ? act.provider : providerOf(set.acts[act.of]);
  };
  const entries = Object.entries(set.acts).map(([name, act]): [AnyAct, ActNames] => [
    act,
    { provider: providerOf(act), act: name, direction: DIRECTIONS[act.kind] },
  ]);
  return new Map(entries);
}

/** 429 says "later", and not "no", so it stands apart from its class. */
function answerClass(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return answer.status === 429 ? '429' : `${Math.floor(answer.status / 100)}xx`;
    case 'not-sent':
      return answer.reason;
    case 'lost':
      return answer.cause;
  }
}
