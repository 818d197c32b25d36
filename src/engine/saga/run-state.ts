import {
  answer,
  begin,
  contradicts,
  end,
  expire,
  giveUp,
  hurry,
  land,
  turnBack,
} from './call-facts.js';
import { NOT_BEGUN, type CallState, type Standing } from './call-state.js';
import { decide } from './call-verdict.js';
import {
  callOf,
  type CallDefinition,
  type SagaDefinition,
  type StepDefinition,
} from './definition.js';
import type {
  Because,
  CaseOpenedLine,
  Ending,
  EndedLine,
  JournalLine,
  Problem,
  Tick,
  VerdictLine,
} from './journal.js';
import type { Direction } from './step-key.js';

export interface StepState {
  readonly step: StepDefinition;
  readonly forward: CallState;
  readonly undo: CallState;
}

/** A fact that contradicts a verdict or came after the end, and is not on the desk yet. */
export interface Contradiction {
  readonly step: string;
  readonly direction: Direction;
}

/** Everything the kernel knows of a run, worked out from its journal alone. */
export interface RunState {
  readonly definition: SagaDefinition;
  readonly steps: readonly StepState[];
  readonly cancelAccepted: boolean;
  readonly unwindingBecause: Because | null;
  /** An operator closed it as it was: it has ended, and nothing was done about what remains. */
  readonly abandoned: boolean;
  readonly finishedAs: Ending | null;
  readonly contradictions: readonly Contradiction[];
  /** Open cases by id. */
  readonly openCases: ReadonlyMap<
    string,
    { readonly problem: Problem; readonly of: Contradiction }
  >;
  readonly lastSeq: number;
}

/**
 * Works out where a run stands: a pure fold over its lines, in the order of their numbers. The same
 * lines give the same state in the workflow, in the activities and in the API.
 */
export function foldJournal(definition: SagaDefinition, lines: readonly JournalLine[]): RunState {
  return lines.reduce(addLine, emptyRun(definition));
}

/** A run of which nothing is on record yet. */
export function emptyRun(definition: SagaDefinition): RunState {
  return {
    definition,
    steps: definition.steps.map((step) => ({ step, forward: NOT_BEGUN, undo: NOT_BEGUN })),
    cancelAccepted: false,
    unwindingBecause: null,
    abandoned: false,
    finishedAs: null,
    contradictions: [],
    openCases: new Map(),
    lastSeq: 0,
  };
}

/**
 * Adds one line to what is known. Spelled out, so that all states of a run have one shape: a spread
 * of a spread makes another each time, and the explorer adds millions of lines.
 */
export function addLine(run: RunState, line: JournalLine): RunState {
  const now = apply(run, line);
  return {
    definition: now.definition,
    steps: now.steps,
    cancelAccepted: now.cancelAccepted,
    unwindingBecause: now.unwindingBecause,
    abandoned: now.abandoned,
    finishedAs: now.finishedAs,
    contradictions: now.contradictions,
    openCases: now.openCases,
    lastSeq: line.seq,
  };
}

function apply(run: RunState, line: JournalLine): RunState {
  switch (line.kind) {
    case 'accepted':
    case 'cancel-refused':
      return run;
    case 'cancel-accepted':
      return { ...run, cancelAccepted: true };
    case 'unwinding':
      return unwind(run, line.because);
    case 'finished':
      return { ...run, finishedAs: line.as };
    case 'begun':
      return change(run, line, (call) => begin(call, line.attempt, line.seq));
    case 'ended':
      return applyEnd(run, line);
    case 'asked':
      return change(run, line, (call, at) => answer(call, line, at));
    case 'key-expired':
      return change(run, line, expire);
    case 'case-opened':
      return openCase(run, line);
    case 'case-settled':
      return closeCase(run, line);
    case 'verdict':
      return closeCase(applyVerdict(run, line), line);
    case 'retried':
      return changeAll(run, hurry);
    case 'abandoned':
      return { ...changeAll(run, giveUp), abandoned: true };
  }
}

function unwind(run: RunState, because: Because): RunState {
  const turned = { ...run, unwindingBecause: because };
  const steps = run.steps.map(({ step, forward, undo }) => ({
    step,
    forward: turnBack(forward, standing(turned, step, 'do')),
    undo,
  }));
  return { ...turned, steps };
}

function applyEnd(run: RunState, line: EndedLine & { seq: number }): RunState {
  const before = callState(run, line.step, line.direction);
  const astray = isAstray(run, line, before);
  const isOpen = before.phase === 'sending' || before.phase === 'unknown';
  const changesNothing = run.finishedAs !== null || (astray && !isOpen);
  const told = change(run, line, (call, at) =>
    changesNothing ? land(call, line) : end(call, line, at),
  );
  if (!astray && !contradicts(before, line)) return told;
  const contradictions = [...told.contradictions, { step: line.step, direction: line.direction }];
  return { ...told, contradictions };
}

/** It took effect after the run ended, or the pivot did after the run had turned away from it. */
function isAstray(run: RunState, line: EndedLine, before: CallState): boolean {
  if (line.outcome !== 'done' || before.phase === 'done') return false;
  if (run.finishedAs !== null) return true;
  const turned = run.cancelAccepted || run.unwindingBecause !== null;
  return turned && isPivot(run, line.step);
}

function isPivot(run: RunState, step: string): boolean {
  return run.steps.some((state) => state.step.name === step && state.step.place === 'pivot');
}

function openCase(run: RunState, line: CaseOpenedLine): RunState {
  const of = { step: line.step, direction: line.direction };
  const openCases = new Map(run.openCases).set(line.case, { problem: line.problem, of });
  if (line.problem === 'contradiction') {
    const first = run.contradictions.findIndex((one) => isSameCall(one, of));
    const contradictions = run.contradictions.filter((_one, index) => index !== first);
    return { ...run, openCases, contradictions };
  }
  const opened = { id: line.case, problem: line.problem };
  return { ...change(run, line, (call) => ({ ...call, openCase: opened })), openCases };
}

/** A contradiction turns nothing: the run went on, or has ended, by what was known before. */
function applyVerdict(run: RunState, line: VerdictLine & { seq: number }): RunState {
  const problem = run.openCases.get(line.case)?.problem;
  if (problem === undefined || problem === 'contradiction') return run;
  return change(run, line, (call, at) => decide(call, line, at));
}

function closeCase(run: RunState, line: Contradiction & { readonly case: string }): RunState {
  const openCases = new Map(run.openCases);
  openCases.delete(line.case);
  const closed = change(run, line, (call) =>
    call.openCase?.id === line.case ? { ...call, openCase: null } : call,
  );
  return { ...closed, openCases };
}

function isSameCall(one: Contradiction, other: Contradiction): boolean {
  return one.step === other.step && one.direction === other.direction;
}

function change(
  run: RunState,
  of: { readonly step: string; readonly direction: Direction },
  alter: (call: CallState, at: Standing) => CallState,
): RunState {
  const steps = run.steps.map((state) => {
    if (state.step.name !== of.step) return state;
    const { step, forward, undo } = state;
    const at = standing(run, step, of.direction);
    return of.direction === 'do'
      ? { step, forward: alter(forward, at), undo }
      : { step, forward, undo: alter(undo, at) };
  });
  return { ...run, steps };
}

function changeAll(run: RunState, alter: (call: CallState, at: Standing) => CallState): RunState {
  const steps = run.steps.map(({ step, forward, undo }) => ({
    step,
    forward: alter(forward, standing(run, step, 'do')),
    undo: step.undo === null ? undo : alter(undo, standing(run, step, 'undo')),
  }));
  return { ...run, steps };
}

/** Whose call it is and which way the run goes: what a decision about the call depends on. */
export function standing(run: RunState, step: StepDefinition, direction: Direction): Standing {
  const call: CallDefinition | null = callOf(step, direction);
  if (call === null) {
    throw new RangeError(`${run.definition.name} › ${step.name} has no undo`);
  }
  return { call, direction, place: step.place, unwinding: run.unwindingBecause !== null };
}

/** Where one call of a step stands; throws a RangeError for a step the saga does not have. */
export function callState(run: RunState, step: string, direction: Direction): CallState {
  const state = run.steps.find((candidate) => candidate.step.name === step);
  if (state === undefined) throw new RangeError(`${run.definition.name} has no step ${step}`);
  return direction === 'do' ? state.forward : state.undo;
}

/** Whether the pivot may have taken effect: nothing before it may be undone while this is so. */
export function pivotBegun(run: RunState): boolean {
  const pivot = run.steps.find((state) => state.step.place === 'pivot');
  if (pivot === undefined) return false;
  return ['sending', 'unknown', 'done'].includes(pivot.forward.phase);
}

/** Whether the pivot took effect: from here on nothing is undone. */
export function pivotDone(run: RunState): boolean {
  return run.steps.some((state) => state.step.place === 'pivot' && state.forward.phase === 'done');
}

/** Which timers of the driver have fired. */
export function hasTicked(ticks: readonly Tick[], tick: Tick): boolean {
  return ticks.some((one) => {
    if (one.kind === 'due') return tick.kind === 'due' && one.of === tick.of;
    if (one.kind === 'undo-slow') return tick.kind === 'undo-slow' && one.step === tick.step;
    return tick.kind === one.kind;
  });
}
