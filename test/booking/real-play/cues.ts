import type { Choice } from '../../../src/engine/testing/choices.js';
import type { Played } from '../../../src/engine/testing/played.js';
import type { FaultWish } from '../../support/sandbox.js';
import type { Treatment } from '../../support/worker-gate.js';

/** What has to be done to one attempt so that what was foretold becomes of it. */
export interface Cue {
  /** The fate, as the explorer names it. */
  readonly words: string;
  /** What the provider does. @default it answers well */
  readonly fault?: FaultWish['do'];
  /** What is done inside of the process. */
  readonly treatment?: Treatment;
  /** The process is killed once the attempt has got so far. */
  readonly dies?: true;
  /** What came of it is held back for long. */
  readonly comesLater?: true;
  /** It takes effect only after its time-out. */
  readonly landsLate?: true;
}

/** What has to be done to one question. */
export type AskCue = 'is silent' | 'is silent for long' | 'holds something else';

export interface Cues {
  /** By `step:direction:attempt`. */
  readonly attempts: ReadonlyMap<string, Cue>;
  /** By `step:direction:number of the question`. */
  readonly questions: ReadonlyMap<string, AskCue>;
}

export interface Times {
  readonly callTimeoutMs: number;
  readonly settlesMs: number;
}

/** The ways in which an answer gets lost after the effect, and in which a request does. */
const LOST = [
  'effect_then_hang',
  'effect_then_reset',
  'effect_then_500',
  'effect_then_malformed_json',
  'effect_then_truncated_body',
];
const NEVER_ARRIVED = ['hang', 'reset_before_effect'];
const TOO_MANY = { status: { code: 429 } };

/** `turn` chooses among what is the same to the engine, so that all of it is tried. */
export function cuesOf({ choices }: Played, times: Times, turn: number): Cues {
  const attempts = new Map<string, Cue>();
  const questions = new Map<string, AskCue>();
  for (const choice of choices) {
    const { form, of = '', n = 0 } = choice.place;
    const call = of.endsWith(':undo') ? of : `${of}:do`;
    if (form === '{of}, attempt {n}') {
      attempts.set(`${call}:${n}`, cueOf(wordsOf(choice), times, turn + n));
    }
    if (form === 'asked about {of}' && choice.taken > 0) {
      questions.set(`${call}:${choice.time}`, wordsOf(choice) as AskCue);
    }
  }
  return { attempts, questions };
}

function wordsOf({ options, taken }: Choice): string {
  return options[taken] ?? '';
}

function cueOf(words: string, { callTimeoutMs, settlesMs }: Times, turn: number): Cue {
  const late = { hang_then_effect: { ms: callTimeoutMs + Math.round(settlesMs / 2) } };
  const later = { treatment: { isStill: true }, comesLater: true } as const;
  switch (words) {
    case 'refused':
      return { words, fault: 'decline' };
    case 'certainly nothing happened':
      return { words, fault: TOO_MANY };
    case 'not even sent':
      return { words, treatment: { losesBegin: true } };
    case 'request lost':
      return { words, fault: oneOf(NEVER_ARRIVED, turn) };
    case 'answer lost':
      return { words, fault: oneOf(LOST, turn) };
    case 'takes effect after its time-out':
      return { words, fault: late, landsLate: true };
    case 'process dies before the call':
      return { words, treatment: { isMute: true }, dies: true };
    case 'process dies after the call':
      return { words, dies: true };
    case 'process dies, takes effect late':
      return { words, fault: late, dies: true, landsLate: true };
    case 'answer comes much later':
    case 'process stands still, then goes on':
      return { words, ...later };
    case 'refusal comes much later':
      return { words, fault: 'decline', ...later };
    case 'nothing to undo':
      return { words, treatment: { isMisdirected: true } };
    case 'done':
      return { words };
  }
  throw new RangeError(`nobody knows how "${words}" is played`);
}

function oneOf(ways: readonly string[], turn: number): string {
  return ways[turn % ways.length] ?? '';
}

interface Operation {
  readonly provider: FaultWish['provider'];
  readonly operation: string;
}

const CALLS: Readonly<Record<string, Operation>> = {
  'charge:do': { provider: 'payments', operation: 'charge' },
  'charge:undo': { provider: 'payments', operation: 'refund' },
  'flight:do': { provider: 'flights', operation: 'hold' },
  'flight:undo': { provider: 'flights', operation: 'cancel' },
  'hotel:do': { provider: 'hotels', operation: 'reserve' },
  'hotel:undo': { provider: 'hotels', operation: 'cancel' },
  'ticket:do': { provider: 'flights', operation: 'ticket' },
  'receipt:do': { provider: 'messages', operation: 'send' },
};

const QUESTIONS: Readonly<Record<string, Operation>> = {
  'charge:do': { provider: 'payments', operation: 'find_charge' },
  'charge:undo': { provider: 'payments', operation: 'find_refund' },
  'flight:do': { provider: 'flights', operation: 'find' },
  'ticket:do': { provider: 'flights', operation: 'find' },
};

/** The faults that the sandbox is told of, for the run of this id. */
export function faultsOf({ attempts, questions }: Cues, run: string): readonly FaultWish[] {
  const ofAttempts = [...attempts].flatMap(([name, { fault }]) => {
    if (fault === undefined) return [];
    const { call, number } = partsOf(name);
    const arrived = [...attempts].filter(([other, cue]) => {
      const { call: ofOther, number: before } = partsOf(other);
      return ofOther === call && before < number && arrives(cue);
    });
    const match = { reference: referenceOf(run, call), attempt: arrived.length + 1 };
    return [{ ...operationOf(CALLS, call), match, do: fault }];
  });
  const ofQuestions = [...questions].flatMap(([name, what]) => {
    const { call, number } = partsOf(name);
    const fault = faultOfQuestion(call, what);
    if (fault === null) return [];
    const match = { reference: referenceOf(run, call), attempt: number };
    return [{ ...operationOf(QUESTIONS, call), match, do: fault }];
  });
  return [...ofAttempts, ...ofQuestions];
}

/** A seat that is not the only one under its key is put there by the test itself: null. */
function faultOfQuestion(call: string, what: AskCue): FaultWish['do'] | null {
  if (what !== 'holds something else') return 'hang';
  if (call === 'ticket:do') return 'replay_different_body';
  return call === 'flight:do' ? null : 'wrong_amount';
}

function arrives({ treatment }: Cue): boolean {
  return treatment?.losesBegin !== true && treatment?.isMute !== true;
}

function partsOf(name: string): { readonly call: string; readonly number: number } {
  const at = name.lastIndexOf(':');
  return { call: name.slice(0, at), number: Number(name.slice(at + 1)) };
}

/** The key of a call, by which the sandbox knows it. */
export function referenceOf(run: string, call: string): string {
  return `${run}:${call.replace(':do', '')}`;
}

function operationOf(of: Readonly<Record<string, Operation>>, call: string): Operation {
  const found = of[call];
  if (found === undefined) throw new RangeError(`the sandbox has no ${call}`);
  return found;
}
