import type { CallDefinition, Place } from './definition.js';
import type { AskedLine, EndedLine, Problem, Verdict } from './journal.js';
import type { Direction } from './step-key.js';

/**
 * Where one call of a step stands, forward or undo.
 *
 * `waiting`: certainly nothing happened so far, and it will be attempted again. `unknown`: at least
 * one attempt may have taken effect. `not-happened`: it did not take effect and never will.
 * `missed`: settled without knowing, as its author chose. `by-hand`: happened, and a person undid
 * it. `left`: a person settled it without a value.
 */
export type Phase =
  | 'not-begun'
  | 'sending'
  | 'waiting'
  | 'unknown'
  | 'done'
  | 'refused'
  | 'not-happened'
  | 'missed'
  | 'by-hand'
  | 'left';

/** The next try not before `ms` after the line numbered `of`. */
export interface Pause {
  readonly of: number;
  readonly ms: number;
}

export interface OpenCase {
  readonly id: string;
  readonly problem: Problem;
}

export interface CallState {
  readonly phase: Phase;
  /** The number of the line that began the first attempt: the order of starting. */
  readonly order: number | null;
  readonly attempt: number;
  /** Attempts that count against the retry policy since a person last said "again". */
  readonly used: number;
  /** Attempts whose outcome nobody knows. Only a fact about them, a finding or a verdict ends it. */
  readonly unknowns: readonly number[];
  readonly refusedAs: string | null;
  readonly pause: Pause | null;
  readonly askPause: Pause | null;
  readonly tryingMs: number;
  readonly askingMs: number;
  /** What `tryingMs` and `askingMs` stood at when a person last decided: patience starts anew. */
  readonly patienceFromMs: number;
  readonly keyExpired: boolean;
  readonly foundDiffers: boolean;
  readonly openCase: OpenCase | null;
  readonly byVerdict: Verdict | null;
  /** A person said that no attempt up to this one took effect. */
  readonly deniedUpTo: number;
  readonly providerId: string | null;
}

/** Whose call it is, and whether the run is on its way back. */
export interface Standing {
  readonly call: CallDefinition;
  readonly direction: Direction;
  readonly place: Place;
  readonly unwinding: boolean;
}

export const NOT_BEGUN: CallState = Object.freeze({
  phase: 'not-begun',
  order: null,
  attempt: 0,
  used: 0,
  unknowns: [],
  refusedAs: null,
  pause: null,
  askPause: null,
  tryingMs: 0,
  askingMs: 0,
  patienceFromMs: 0,
  keyExpired: false,
  foundDiffers: false,
  openCase: null,
  byVerdict: null,
  deniedUpTo: 0,
  providerId: null,
});

const SETTLED: ReadonlySet<Phase> = new Set([
  'done',
  'refused',
  'not-happened',
  'missed',
  'by-hand',
  'left',
]);

/** Whether the outcome is known, or a person or the author said how it counts. */
export function isSettled(state: CallState): boolean {
  return SETTLED.has(state.phase);
}

/** A later attempt is on its way: its number follows the last one. */
export function begin(state: CallState, attempt: number, seq: number): CallState {
  if (isSettled(state)) return state;
  return { ...state, phase: 'sending', attempt, order: state.order ?? seq, pause: null };
}

/** One attempt ended. A fact is a fact: it counts whenever it comes, and for the attempt it is of. */
export function end(state: CallState, line: EndedLine & { seq: number }, at: Standing): CallState {
  const trying = 'trying_ms' in line ? Math.max(state.tryingMs, line.trying_ms) : state.tryingMs;
  const counted = line.outcome === 'again' && !line.counts ? state.used : state.used + 1;
  const noted = { ...state, tryingMs: trying, used: counted };
  if (contradicts(state, line)) return noted;
  switch (line.outcome) {
    case 'done':
      return happen(noted, line.provider_id);
    case 'unknown':
      return lose(noted, line, at);
    case 'again':
    case 'refused':
      return fail(noted, line, at);
  }
}

function happen(state: CallState, providerId: string | null): CallState {
  if (state.phase === 'done') return state;
  return { ...state, phase: 'done', unknowns: [], providerId, pause: null, refusedAs: null };
}

function lose(
  state: CallState,
  line: EndedLine & { seq: number; outcome: 'unknown' },
  at: Standing,
): CallState {
  if (isSettled(state)) return state;
  if (prefersAMiss(at)) return { ...state, phase: 'missed' };
  const unknowns = state.unknowns.includes(line.attempt)
    ? state.unknowns
    : [...state.unknowns, line.attempt];
  const pause = { of: line.seq, ms: line.retry_ms };
  return { ...state, phase: 'unknown', unknowns, pause, refusedAs: null };
}

/** On the way back nobody sends a message only to learn whether it was sent. */
function prefersAMiss(at: Standing): boolean {
  if (at.call.whenUnknown === 'prefer-miss') return true;
  return at.call.whenUnknown === 'prefer-duplicate' && at.unwinding;
}

function fail(
  state: CallState,
  line: EndedLine & { seq: number; outcome: 'again' | 'refused' },
  at: Standing,
): CallState {
  if (isSettled(state)) return state;
  const unknowns = state.unknowns.filter((attempt) => attempt !== line.attempt);
  const refusedAs = line.outcome === 'refused' ? line.code : null;
  const pause = line.outcome === 'again' ? { of: line.seq, ms: line.retry_ms } : state.pause;
  const later = line.attempt < state.attempt && state.phase === 'sending';
  const noted = { ...state, unknowns, pause, refusedAs };
  if (later) return noted;
  if (unknowns.length > 0) return { ...noted, phase: 'unknown' };
  if (line.outcome === 'refused') return { ...noted, phase: 'refused' };
  return wait(noted, line.reason, at);
}

/** Certainly nothing happened: attempted again, unless this is the way back or it is used up. */
function wait(state: CallState, reason: string, at: Standing): CallState {
  if (at.direction === 'do' && at.unwinding) return { ...state, phase: 'not-happened' };
  const givesUp = at.direction === 'do' && at.place !== 'after-pivot' && isUsedUp(state, at.call);
  if (givesUp) return { ...state, phase: 'refused', refusedAs: reason };
  return { ...state, phase: 'waiting' };
}

/** Whether the retry policy allows no further attempt. */
export function isUsedUp(state: CallState, call: CallDefinition): boolean {
  const { attempts, withinMs } = call.retry;
  if (attempts !== null && state.used >= attempts) return true;
  const tryingMs = state.tryingMs - state.patienceFromMs + (state.pause?.ms ?? 0);
  return withinMs !== null && tryingMs > withinMs;
}

/** The provider was asked what it did. */
export function answer(
  state: CallState,
  line: AskedLine & { seq: number },
  at: Standing,
): CallState {
  if (isSettled(state)) return state;
  switch (line.finding) {
    case 'found':
      return happen(state, line.provider_id);
    case 'differs':
      return { ...state, foundDiffers: true };
    case 'cannot-tell':
      return {
        ...state,
        askingMs: Math.max(state.askingMs, line.asking_ms),
        askPause: { of: line.seq, ms: line.ask_again_ms },
      };
    case 'not-there': {
      const known = { ...state, unknowns: [], pause: { of: line.seq, ms: line.retry_ms } };
      if (state.refusedAs !== null) return { ...known, phase: 'refused' };
      const tryingMs = Math.max(state.tryingMs, line.trying_ms);
      return wait({ ...known, tryingMs, askPause: null, askingMs: 0 }, 'not-there', at);
    }
  }
}

/** The run turned back: what is not begun or only waiting is never attempted again. */
export function turnBack(state: CallState, at: Standing): CallState {
  if (state.phase === 'not-begun' || state.phase === 'waiting') {
    return { ...state, phase: 'not-happened' };
  }
  if (state.phase === 'unknown' && prefersAMiss(at)) return { ...state, phase: 'missed' };
  return state;
}

/** A person decided. */
export function decide(
  state: CallState,
  verdict: Verdict,
  problem: Problem,
  seq: number,
  at: Standing,
): CallState {
  const decided = { ...state, openCase: null, patienceFromMs: patienceOf(state) };
  // The run went on, or has ended, by what was known before: the verdict only says how it counts.
  if (problem === 'contradiction') return decided;
  const settled = { ...decided, byVerdict: verdict, unknowns: [] };
  switch (verdict) {
    case 'happened':
      return { ...settled, phase: 'done' };
    case 'undone-by-hand':
      return { ...settled, phase: 'by-hand' };
    case 'left-as-is':
      return { ...settled, phase: 'left' };
    case 'did-not-happen':
      return anew({ ...settled, deniedUpTo: state.attempt, pause: { of: seq, ms: 0 } }, at);
  }
}

function anew(state: CallState, at: Standing): CallState {
  if (at.direction === 'do' && at.unwinding) return { ...state, phase: 'not-happened' };
  return {
    ...state,
    phase: 'waiting',
    byVerdict: null,
    used: 0,
    refusedAs: null,
    foundDiffers: false,
    keyExpired: false,
    askPause: null,
    askingMs: 0,
  };
}

/** How long it has been tried or asked, in milliseconds. */
export function patienceOf(state: CallState): number {
  return Math.max(state.tryingMs, state.askingMs);
}

/**
 * Whether a fact contradicts what a person said, or is a second effect. It is kept and put on the
 * desk; it does not turn the run by itself.
 */
export function contradicts(state: CallState, line: EndedLine): boolean {
  if (line.outcome === 'refused') return state.byVerdict === 'happened' && isOnlyAttempt(state);
  if (line.outcome !== 'done') return false;
  if (state.phase === 'done') return differentIds(state.providerId, line.provider_id);
  return line.attempt <= state.deniedUpTo || state.byVerdict !== null;
}

function isOnlyAttempt(state: CallState): boolean {
  return state.attempt === 1;
}

function differentIds(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
