import type { Answer } from '../providers/answer.js';
import type { AnyAct } from '../saga/act.js';
import type { Sagas } from '../sagas.js';
import type { Instruments } from './instruments.js';
import type { ProviderMeters } from './meters.js';

/** Counts what a process asks of providers, whoever it is. */
export function providerMeters(instruments: Instruments, sagas: Sagas): ProviderMeters {
  const calls = instruments.histogram('recourse_provider_call_duration_seconds');
  const answers = instruments.counter('recourse_provider_answers_total');
  const names = namesOf(sagas);
  return Object.freeze<ProviderMeters>({
    called(act, outcome, durationMs) {
      const name = names.get(act);
      if (name !== undefined) calls.observe({ ...name, outcome }, durationMs / 1_000);
    },
    exchanged: (provider, answer) => answers.inc({ provider, answer: answerClass(answer) }),
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
