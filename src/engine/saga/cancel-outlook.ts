import { answerCancel } from './cancel.js';
import { forecast, type Expected } from './forecast.js';
import type { Ending, Problem, Tick } from './journal.js';
import { addLine, type RunState, type StepState } from './run-state.js';

/** Why a step is not promised to be undone: the case a person decides, or that it has no undo. */
export type StaysBecause = Problem | 'has-no-undo' | 'left-as-it-is';

export interface Staying {
  readonly step: string;
  readonly why: StaysBecause;
}

/** What a cancel that came now would come to, by what is on record. */
export interface CancelOutlook {
  /** How the run ends; null: a person decides something before. */
  readonly ends: Ending | null;
  /** What is undone, or has been; `isKnown` is false where it may not have taken effect. */
  readonly undone: readonly { readonly step: string; readonly isKnown: boolean }[];
  /** What nobody can promise to undo. */
  readonly stays: readonly Staying[];
}

/**
 * What a cancel that came now would come to: the moves of the kernel, played to their end. Of a run
 * that turned back already it is what comes anyway. `ticks` is what the clock says already.
 */
export function cancelOutlook(run: RunState, ticks: readonly Tick[]): CancelOutlook {
  const accepted = { kind: 'cancel-accepted', by: 'customer', seq: run.lastSeq + 1 } as const;
  const cancelled = answerCancel(run) === 'accepted' ? addLine(run, accepted) : run;
  const expected = forecast(cancelled, ticks);
  const coming = new Set(expected.flatMap(undoneStep));
  const end = expected.find((one) => one.kind === 'end');
  const undone = run.steps.filter((state) => isUndone(state) || coming.has(state.step.name));
  return {
    ends: end?.as ?? run.finishedAs,
    undone: undone.map((state) => ({ step: state.step.name, isKnown: isKnown(state) })),
    stays: staying(run, expected),
  };
}

function undoneStep(one: Expected): readonly string[] {
  const isUndo = 'direction' in one && one.direction === 'undo' && one.kind !== 'person';
  return isUndo ? [one.step] : [];
}

function isUndone({ forward, undo }: StepState): boolean {
  return forward.phase === 'by-hand' || undo.phase === 'done' || undo.phase === 'by-hand';
}

function isKnown(state: StepState): boolean {
  return state.forward.phase === 'done' || isUndone(state);
}

function staying(run: RunState, expected: readonly Expected[]): readonly Staying[] {
  const decided = expected.flatMap((one) =>
    one.kind === 'person' ? [[one.step, one.problem] as const] : [],
  );
  const onRecord = run.steps.flatMap((state) => {
    const why = staysBecause(state);
    return why === null ? [] : [[state.step.name, why] as const];
  });
  const all = new Map<string, StaysBecause>([...onRecord, ...decided]);
  return [...all].map(([step, why]) => ({ step, why }));
}

function staysBecause({ step, forward, undo }: StepState): StaysBecause | null {
  if (forward.phase === 'left' || undo.phase === 'left') return 'left-as-it-is';
  const mayHaveHappened = ['sending', 'unknown', 'done'].includes(forward.phase);
  return step.undo === null && mayHaveHappened ? 'has-no-undo' : null;
}

/** What a provider holds of a step, where it was asked and its answer is clear. */
export type Held = 'there' | 'not-there';

/** What a cancel comes to, as it is quoted. Names only, so that it may lie in the clear. */
export interface Quoted {
  readonly ends: Ending | null;
  /** `may`: it is undone if it took effect. `not`: its provider says that it did not. */
  readonly steps: readonly { readonly step: string; readonly undone: 'will' | 'may' | 'not' }[];
  readonly stays: readonly Staying[];
}

/** The outlook, made surer by what providers hold. */
export function quotedOf(
  { ends, undone, stays }: CancelOutlook,
  held: ReadonlyMap<string, Held>,
): Quoted {
  const steps = undone.map(({ step, isKnown: known }) => {
    if (known || held.get(step) === 'there') return { step, undone: 'will' } as const;
    return { step, undone: held.get(step) === 'not-there' ? 'not' : 'may' } as const;
  });
  return { ends, steps, stays };
}

/**
 * Whether a cancel still comes to what was quoted. What the providers said then and the record does
 * not know yet is believed; whatever has begun, happened or failed against the quote is another
 * result.
 */
export function comesToTheSame(quoted: Quoted, now: CancelOutlook): boolean {
  if (quoted.ends !== now.ends || !isSame(quoted.stays, now.stays)) return false;
  const wasQuoted = new Map(quoted.steps.map(({ step, undone }) => [step, undone]));
  const isNow = new Map(now.undone.map(({ step, isKnown: known }) => [step, known]));
  const steps = new Set([...wasQuoted.keys(), ...isNow.keys()]);
  return [...steps].every((step) => {
    const known = isNow.get(step);
    switch (wasQuoted.get(step)) {
      case 'will':
        return known !== undefined;
      case 'may':
        return true;
      case 'not':
        return known !== true;
      case undefined:
        return false;
    }
  });
}

function isSame(some: readonly Staying[], others: readonly Staying[]): boolean {
  const named = (all: readonly Staying[]) =>
    all.map(({ step, why }) => `${step} ${why}`).toSorted();
  return named(some).join() === named(others).join();
}
