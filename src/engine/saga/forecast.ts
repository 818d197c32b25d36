import { calls, consequencesOf } from './consequences.js';
import type { Because, Ending, Fact, Problem, Tick } from './journal.js';
import { movesOf, type Move } from './next-moves.js';
import { addLine, type RunState } from './run-state.js';
import type { Direction } from './step-key.js';

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** Something that will be done, or waited for. */
export type Expectation =
  /** `onlyIf`: an earlier one tells whether it is done. */
  | (OfCall & {
      readonly kind: 'call';
      readonly attempt: number;
      readonly onlyIf: 'it-took-effect' | null;
    })
  /** On the way back the same key is sent again, only to learn whether it took effect. */
  | (OfCall & { readonly kind: 'learn'; readonly attempt: number })
  /** It is on its way: its outcome is awaited. */
  | (OfCall & { readonly kind: 'await'; readonly attempt: number })
  | (OfCall & { readonly kind: 'ask' })
  /** So many milliseconds at most. */
  | (OfCall & { readonly kind: 'wait'; readonly ms: number })
  /** A person decides; `case` is null while it does not lie on the desk. */
  | (OfCall & { readonly kind: 'person'; readonly problem: Problem; readonly case: string | null })
  | { readonly kind: 'turn-back'; readonly because: Because }
  | { readonly kind: 'end'; readonly as: Ending };

/** `turn` counts from 1; what has the same turn goes on side by side. */
export type Expected = { readonly turn: number } & Expectation;

/** Far more turns than a saga has calls: a run that went in circles would end here. */
const MOST_TURNS = 1_000;

/**
 * What a run will do from here if every call that is made or awaited takes effect: the moves of the
 * kernel, played to the end or to where only a person can go on. `ticks` is what the clock says
 * already.
 */
export function forecast(start: RunState, ticks: readonly Tick[]): readonly Expected[] {
  let played: Played = { run: start, ticks, unsure: new Set() };
  const expected: Expected[] = [];
  for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
    const moves = movesOf(played.run, played.ticks).filter(isPlayed);
    const { run, unsure } = played;
    const coming = moves.length > 0 ? moves.map((move) => expect(run, unsure, move)) : onDesk(run);
    expected.push(...coming.map((one) => ({ turn, ...one })));
    if (moves.length === 0) break;
    played = moves.reduce(play, played);
  }
  return expected;
}

/** Timers that let others pass, or end the forward work, do nothing while all goes well. */
type PlayedMove =
  | Exclude<Move, { readonly kind: 'wait' }>
  | (Move & { readonly kind: 'wait'; readonly then: { readonly kind: 'due' } });

function isPlayed(move: Move): move is PlayedMove {
  return move.kind !== 'wait' || move.then.kind === 'due';
}

interface Played {
  readonly run: RunState;
  readonly ticks: readonly Tick[];
  /** The steps of which it is only supposed that they took effect. */
  readonly unsure: ReadonlySet<string>;
}

function expect(run: RunState, unsure: ReadonlySet<string>, move: PlayedMove): Expectation {
  switch (move.kind) {
    case 'call': {
      const { step, direction, attempt } = move;
      if (isLearnt(run, move)) return { kind: 'learn', step, direction, attempt };
      const onlyIf = direction === 'undo' && unsure.has(step) ? 'it-took-effect' : null;
      return { kind: 'call', step, direction, attempt, onlyIf };
    }
    case 'read':
      return { ...move, kind: 'await' };
    case 'ask':
      return move;
    case 'open-case':
      return { ...move, kind: 'person', case: null };
    case 'wait':
      return { kind: 'wait', ms: move.ms, ...waiting(run, move.then.of) };
    case 'unwind':
      return { kind: 'turn-back', because: move.because };
    case 'finish':
      return { kind: 'end', as: move.as };
  }
}

/** Whether a move tells, on the way back, what a step did. */
function isLearnt(run: RunState, move: PlayedMove): boolean {
  return run.unwindingBecause !== null && 'direction' in move && move.direction === 'do';
}

/** The call that waits since the line of this number. */
function waiting(run: RunState, seq: number): OfCall {
  const found = calls(run).find(({ call }) => call.pause?.of === seq || call.askPause?.of === seq);
  if (found === undefined) throw new RangeError(`no call waits since line ${seq}`);
  return { step: found.step, direction: found.direction };
}

/** What a person must decide before anything else happens, if it lies on the desk already. */
function onDesk(run: RunState): readonly Expectation[] {
  const open = [...run.openCases].filter(([id]) => !isSupposed(id));
  return open.map(([id, { problem, of }]) => ({ kind: 'person', ...of, problem, case: id }));
}

function play(played: Played, move: PlayedMove): Played {
  if (move.kind === 'wait') return { ...played, ticks: [...played.ticks, move.then] };
  const unsure = isLearnt(played.run, move) && 'step' in move ? [move.step] : [];
  const run = supposed(move, played.run.lastSeq).reduce(tell, played.run);
  return { ...played, run, unsure: new Set([...played.unsure, ...unsure]) };
}

/** The facts that would come of a move. */
function supposed(
  move: Exclude<PlayedMove, { readonly kind: 'wait' }>,
  seq: number,
): readonly Fact[] {
  const done = { outcome: 'done', provider_id: null } as const;
  switch (move.kind) {
    case 'call':
      return [
        { ...move, kind: 'begun' },
        { ...move, kind: 'ended', ...done },
      ];
    case 'read':
      return [{ ...move, kind: 'ended', ...done }];
    case 'ask':
      return [{ ...move, kind: 'asked', finding: 'found', provider_id: null }];
    case 'open-case':
      return [{ ...move, kind: 'case-opened', case: `${SUPPOSED}${seq}` }];
    case 'unwind':
      return [{ kind: 'unwinding', because: move.because }];
    case 'finish':
      return [{ kind: 'finished', as: move.as }];
  }
}

const SUPPOSED = 'supposed ';

function isSupposed(id: string): boolean {
  return id.startsWith(SUPPOSED);
}

/** Adds a fact, and what follows from it. */
function tell(run: RunState, fact: Fact): RunState {
  const told = addLine(run, { ...fact, seq: run.lastSeq + 1 });
  const more = consequencesOf(told, () => `${SUPPOSED}${told.lastSeq}`);
  return more.reduce(tell, told);
}
