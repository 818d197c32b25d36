import { isSettled, patienceOf, type CallState, type Pause, type Standing } from './call-state.js';
import type { SagaDefinition } from './definition.js';
import type { Because, Ending, JournalLine, Problem, Tick } from './journal.js';
import { nextForCall } from './next-for-call.js';
import {
  foldJournal,
  hasTicked,
  pivotBegun,
  pivotDone,
  standing,
  type RunState,
  type StepState,
} from './run-state.js';
import type { Direction } from './step-key.js';

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** What a driver does next. Moves that are in the same answer may go on side by side. */
export type Move =
  | (OfCall & { readonly kind: 'call'; readonly attempt: number })
  | (OfCall & { readonly kind: 'ask' })
  /** An attempt is on its way or its process died: read what the record says of it. */
  | (OfCall & { readonly kind: 'read'; readonly attempt: number })
  | (OfCall & { readonly kind: 'open-case'; readonly problem: Problem })
  | { readonly kind: 'wait'; readonly ms: number; readonly then: Tick }
  | { readonly kind: 'unwind'; readonly because: Because }
  | { readonly kind: 'finish'; readonly as: Ending };

/**
 * The whole saga algorithm: from the definition and what has happened to what is done next. Pure;
 * asked again with the same journal it answers the same, so a driver that lost its memory goes on
 * from the record. An empty answer means: nothing to do until a person decides.
 */
export function nextMoves(
  definition: SagaDefinition,
  lines: readonly JournalLine[],
  ticks: readonly Tick[] = [],
): readonly Move[] {
  return movesOf(foldJournal(definition, lines), ticks);
}

/** As `nextMoves`, from a state that is folded already. */
export function movesOf(run: RunState, ticks: readonly Tick[]): readonly Move[] {
  if (run.finishedAs !== null) return [];
  return run.unwindingBecause === null ? forwardMoves(run, ticks) : backwardMoves(run, ticks);
}

function forwardMoves(run: RunState, ticks: readonly Tick[]): readonly Move[] {
  const because = turnsBackBecause(run, ticks);
  if (because !== null) return [{ kind: 'unwind', because }];
  const group = run.steps.find((state) => !isPassed(state))?.step.group;
  const stopped = pivotDone(run) && run.steps.some((state) => isGivenUp(state.forward));
  if (group === undefined || stopped) return endMoves(run, 'completed');
  const current = run.steps.filter((state) => state.step.group === group);
  return [
    ...current.flatMap((state) => callMoves(run, state, 'do', ticks)),
    ...deadline(run, ticks),
  ];
}

/** The step is over and the next may begin. */
function isPassed(state: StepState): boolean {
  return state.forward.phase === 'done' || state.forward.phase === 'missed';
}

function isGivenUp(call: CallState): boolean {
  return call.phase === 'by-hand' || call.phase === 'left';
}

/** Why the run turns back now, or null while it goes on. A cancel that was accepted wins. */
export function turnsBackBecause(run: RunState, ticks: readonly Tick[]): Because | null {
  if (run.unwindingBecause !== null || pivotDone(run)) return null;
  if (run.cancelAccepted) return 'cancel';
  const forward = run.steps.map((state) => state.forward);
  if (forward.some(isGivenUp)) return 'person';
  if (forward.some((call) => call.phase === 'refused')) return 'refused';
  const late = hasTicked(ticks, { kind: 'deadline-passed' }) && !pivotBegun(run);
  return late && !run.steps.every(isPassed) ? 'deadline' : null;
}

function deadline(run: RunState, ticks: readonly Tick[]): readonly Move[] {
  const { deadlineMs } = run.definition;
  const then: Tick = { kind: 'deadline-passed' };
  if (deadlineMs === null || pivotBegun(run) || hasTicked(ticks, then)) return [];
  return [{ kind: 'wait', ms: deadlineMs, then }];
}

/**
 * Undos in reverse order of start, once what was begun side by side has settled. What is slow or
 * waits for a person does not hold up the next.
 */
function backwardMoves(run: RunState, ticks: readonly Tick[]): readonly Move[] {
  const started = run.steps
    .filter((state) => state.forward.order !== null)
    .toSorted((one, other) => (other.forward.order ?? 0) - (one.forward.order ?? 0));
  const moves: Move[] = [];
  let held = false;
  for (const [index, state] of started.entries()) {
    const siblings = started.filter((other) => isSibling(other, state));
    const waits = held || siblings.some((other) => isUnsettled(run, other, ticks));
    moves.push(...wayBack(run, state, waits, ticks));
    const holds = holdsUp(run, state, ticks);
    // What is held up itself has its own time before it, once it is its turn.
    const isTimed = !(waits && waitsForItsTurn(state));
    const after = isSettled(state.forward) ? [] : siblings;
    const isAwaited = [...started.slice(index + 1), ...after].some(mayHaveToWait);
    if (holds === 'until-slow' && isTimed && isAwaited) moves.push(slowTimer(run, state));
    held ||= holds !== 'no';
  }
  return moves.length === 0 ? endMoves(run, backwardEnding(run)) : moves;
}

function isSibling(one: StepState, other: StepState): boolean {
  return one !== other && one.step.group === other.step.group;
}

/** Nobody knows yet what it did, and somebody waits for that. */
function isUnsettled(run: RunState, state: StepState, ticks: readonly Tick[]): boolean {
  return !isSettled(state.forward) && holdsUp(run, state, ticks) !== 'no';
}

function wayBack(
  run: RunState,
  state: StepState,
  held: boolean,
  ticks: readonly Tick[],
): readonly Move[] {
  if (!isSettled(state.forward)) return callMoves(run, state, 'do', ticks);
  if (!isUndoOwed(state) || (held && waitsForItsTurn(state))) return [];
  // It is known that it happened, and yet an attempt is on its way that may happen once more.
  if (state.forward.inFlight !== null) return readMoves(state, 'do', state.forward);
  return callMoves(run, state, 'undo', ticks);
}

function waitsForItsTurn(state: StepState): boolean {
  return isSettled(state.forward) && state.undo.phase === 'not-begun';
}

/** Its undo is still to come, or may be. */
function mayHaveToWait(state: StepState): boolean {
  return !isSettled(state.forward) || (isUndoOwed(state) && waitsForItsTurn(state));
}

function isUndoOwed(state: StepState): boolean {
  const owed = state.forward.phase === 'done' && state.step.undo !== null;
  return owed && !isUndone(state.undo);
}

function isUndone(undo: CallState): boolean {
  return undo.phase === 'done' || undo.phase === 'by-hand' || undo.phase === 'left';
}

/** Whether the undos of what was started earlier still wait for this step. */
function holdsUp(
  run: RunState,
  state: StepState,
  ticks: readonly Tick[],
): 'no' | 'until-slow' | 'for-good' {
  const undoing = isSettled(state.forward);
  if (undoing && !isUndoOwed(state)) return 'no';
  if (state.step.onStuckUndo === 'stop') return 'for-good';
  const call = undoing ? state.undo : state.forward;
  if (call.openCase !== null) return 'no';
  const slow = hasTicked(ticks, { kind: 'undo-slow', step: state.step.name });
  return slow ? 'no' : 'until-slow';
}

function slowTimer(run: RunState, state: StepState): Move {
  const then: Tick = { kind: 'undo-slow', step: state.step.name };
  return { kind: 'wait', ms: run.definition.slowUndoMs, then };
}

/** The end, once nothing is open or on its way; nothing at all while a person must decide. */
function endMoves(run: RunState, as: Ending): readonly Move[] {
  const inFlight = run.steps.flatMap((state) => [
    ...readMoves(state, 'do', state.forward),
    ...readMoves(state, 'undo', state.undo),
  ]);
  if (inFlight.length > 0) return inFlight;
  if (run.openCases.size > 0 || run.contradictions.length > 0) return [];
  const remains = run.steps.some(
    (state) =>
      state.forward.phase === 'left' || state.undo.phase === 'left' || isStrayByHand(run, state),
  );
  return [{ kind: 'finish', as: remains ? 'closed_by_hand' : as }];
}

/** Past the pivot nothing is undone: what a person undid there leaves the run unfinished. */
function isStrayByHand(run: RunState, state: StepState): boolean {
  return state.step.place === 'after-pivot' && state.forward.phase === 'by-hand' && pivotDone(run);
}

function backwardEnding(run: RunState): Ending {
  return run.unwindingBecause === 'cancel' ? 'cancelled' : 'undone';
}

/** What is done about one call: attempt it, ask what it did, wait, or put it on the desk. */
function callMoves(
  run: RunState,
  state: StepState,
  direction: Direction,
  ticks: readonly Tick[],
): readonly Move[] {
  const of = { step: state.step.name, direction };
  const call = direction === 'do' ? state.forward : state.undo;
  const at = standing(run, state.step, direction);
  const next = nextForCall(call, at);
  const overdue = isOverdue(run, call, at) ? personMoves(of, call, overdueProblem(call, at)) : [];
  switch (next.kind) {
    case 'nothing':
      return [];
    case 'read':
      return readMoves(state, direction, call);
    case 'person':
      return personMoves(of, call, next.problem);
    case 'ask':
      return [...overdue, ...afterPause(call.askPause, ticks, { kind: 'ask', ...of })];
    case 'attempt': {
      const move: Move = { kind: 'call', ...of, attempt: call.attempt + 1 };
      return [...overdue, ...afterPause(call.pause, ticks, move)];
    }
  }
}

function readMoves(
  { step }: StepState,
  direction: Direction,
  { inFlight }: CallState,
): readonly Move[] {
  return inFlight === null ? [] : [{ kind: 'read', step: step.name, direction, attempt: inFlight }];
}

function personMoves(of: OfCall, call: CallState, problem: Problem): readonly Move[] {
  return call.openCase === null ? [{ kind: 'open-case', ...of, problem }] : [];
}

function afterPause(pause: Pause | null, ticks: readonly Tick[], move: Move): readonly Move[] {
  if (pause === null || pause.ms === 0) return [move];
  const then: Tick = { kind: 'due', of: pause.of };
  return hasTicked(ticks, then) ? [move] : [{ kind: 'wait', ms: pause.ms, then }];
}

/** An undo, a question and what comes after the pivot go on; after this long a person is told. */
function isOverdue(run: RunState, call: CallState, at: Standing): boolean {
  const goesOn = at.direction === 'undo' || at.place === 'after-pivot' || call.phase === 'unknown';
  return goesOn && patienceOf(call) >= run.definition.stuckAfterMs;
}

function overdueProblem(call: CallState, at: Standing): Problem {
  if (at.direction === 'undo') return 'undo-stuck';
  return call.phase === 'unknown' ? 'unknown-outcome' : 'forward-stuck';
}
