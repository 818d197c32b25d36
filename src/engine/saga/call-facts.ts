import { isSettled, isUsedUp, prefersAMiss, type CallState, type Standing } from './call-state.js';
import type { AskedLine, EndedLine } from './journal.js';
import { nextForCall } from './next-for-call.js';

/** A later attempt is on its way: its number follows the last one. */
export function begin(state: CallState, attempt: number, seq: number): CallState {
  if (isSettled(state)) return state;
  const order = state.order ?? seq;
  return { ...state, phase: 'sending', attempt, inFlight: attempt, order, pause: null };
}

/**
 * One attempt ended. A fact is a fact: it counts whenever it comes, and for the attempt it is of.
 */
export function end(state: CallState, line: EndedLine & { seq: number }, at: Standing): CallState {
  const noted = land(state, line);
  switch (line.outcome) {
    case 'done':
      return outweighs(state, line) ? happen(noted, line.provider_id) : noted;
    case 'unknown':
      return lose(noted, line, at);
    case 'again':
    case 'refused':
      return fail(noted, line, at);
  }
}

/** It is not in flight any more, whatever it came to. What was unknown before was counted then. */
export function land(state: CallState, line: EndedLine): CallState {
  const isFirstWord = line.attempt === state.inFlight;
  const counts = isFirstWord && !(line.outcome === 'again' && !line.counts);
  const denied = line.outcome === 'again' || line.outcome === 'refused';
  const landed = {
    ...state,
    believed: denied ? state.believed.filter((one) => one !== line.attempt) : state.believed,
    inFlight: isFirstWord ? null : state.inFlight,
    used: counts ? state.used + 1 : state.used,
  };
  return 'trying_ms' in line ? tried(landed, line.trying_ms) : landed;
}

function tried(state: CallState, ms: number): CallState {
  const tryingFromMs = state.tryingFromMs ?? ms;
  return { ...state, tryingFromMs, tryingMs: Math.max(state.tryingMs, ms - tryingFromMs) };
}

function asking(state: CallState, ms: number): CallState {
  const askingFromMs = state.askingFromMs ?? ms;
  return { ...state, askingFromMs, askingMs: Math.max(state.askingMs, ms - askingFromMs) };
}

/**
 * Whether "it took effect" says how the call stands. Against "did not happen" the provider's word
 * wins, or it would be sent a second time; what a person settled in another way stays settled.
 */
function outweighs(state: CallState, line: EndedLine): boolean {
  return state.byVerdict === null || line.attempt <= state.deniedUpTo;
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
  const unknowns = [...state.unknowns.filter((one) => one !== line.attempt), line.attempt];
  const pause = { of: line.seq, ms: line.retry_ms };
  return { ...state, phase: 'unknown', unknowns, pause, refusedAs: null };
}

function fail(
  state: CallState,
  line: EndedLine & { seq: number; outcome: 'again' | 'refused' },
  at: Standing,
): CallState {
  // What a person has denied already did not happen: the fact says the same again.
  if (isSettled(state) || line.attempt <= state.deniedUpTo) return state;
  const unknowns = state.unknowns.filter((attempt) => attempt !== line.attempt);
  const isLast = line.attempt === state.attempt;
  const known = isLast ? { ...state, unknowns, ...last(state, line) } : { ...state, unknowns };
  if (!isLast && state.phase !== 'unknown') return known;
  if (unknowns.length > 0) return { ...known, phase: prefersAMiss(at) ? 'missed' : 'unknown' };
  if (known.refusedAs !== null) return { ...known, phase: 'refused' };
  return wait(known, line.outcome === 'again' ? line.reason : line.code, at);
}

function last(
  state: CallState,
  line: EndedLine & { seq: number; outcome: 'again' | 'refused' },
): Pick<CallState, 'refusedAs' | 'pause'> {
  return line.outcome === 'refused'
    ? { refusedAs: line.code, pause: state.pause }
    : { refusedAs: null, pause: { of: line.seq, ms: line.retry_ms } };
}

/** Certainly nothing happened: attempted again, unless this is the way back or it is used up. */
function wait(state: CallState, reason: string, at: Standing): CallState {
  if (at.direction === 'do' && at.unwinding) return { ...state, phase: 'not-happened' };
  const givesUp = at.direction === 'do' && at.place !== 'after-pivot' && isUsedUp(state, at.call);
  if (givesUp) return { ...state, phase: 'refused', refusedAs: reason };
  return { ...state, phase: 'waiting' };
}

/**
 * The provider was asked what it did. Only "found" says something when the question is no longer
 * open: the other answers were given before an attempt that came meanwhile.
 */
export function answer(
  state: CallState,
  line: AskedLine & { seq: number },
  at: Standing,
): CallState {
  if (isSettled(state)) return state;
  if (line.finding === 'found') return happen(state, line.provider_id);
  if (state.phase !== 'unknown') return state;
  switch (line.finding) {
    case 'differs':
      return { ...state, foundDiffers: true };
    case 'cannot-tell': {
      const askPause = { of: line.seq, ms: line.ask_again_ms };
      return { ...asking(state, line.asking_ms), askPause };
    }
    case 'not-there': {
      const pause = { of: line.seq, ms: line.retry_ms };
      const known = { ...state, unknowns: [], pause, askPause: null };
      if (state.refusedAs !== null) return { ...known, phase: 'refused' };
      return wait({ ...tried(known, line.trying_ms), askingMs: 0 }, 'no-answer', at);
    }
  }
}

/** The provider's promise for the key is over: whether it happened can only be asked now. */
export function expire(state: CallState): CallState {
  return isSettled(state) ? state : { ...state, phase: 'unknown', keyExpired: true };
}

/** The run turned back: what is not begun or only waiting is never attempted again. */
export function turnBack(state: CallState, at: Standing): CallState {
  if (state.phase === 'not-begun' || state.phase === 'waiting') {
    return { ...state, phase: 'not-happened' };
  }
  if (state.phase === 'unknown' && prefersAMiss(at)) return { ...state, phase: 'missed' };
  return state;
}

/**
 * Somebody said "now": the next attempt or question does not wait for its time. No attempt is given
 * back, and what waits for a person, or is on its way, is not touched.
 */
export function hurry(state: CallState, at: Standing): CallState {
  const next = nextForCall(state, at);
  if (next.kind === 'attempt') return { ...state, pause: null };
  return next.kind === 'ask' ? { ...state, askPause: null } : state;
}

/**
 * The run was abandoned: nothing is sent any more. Of what is in flight nobody will say here what
 * it did; what only waited has certainly not happened.
 */
export function giveUp(state: CallState): CallState {
  if (state.phase === 'waiting') return { ...state, phase: 'not-happened', pause: null };
  if (state.phase !== 'sending' || state.inFlight === null) return state;
  const unknowns = [...state.unknowns, state.inFlight];
  return { ...state, phase: 'unknown', unknowns, inFlight: null };
}

/**
 * Whether a fact speaks against what a person or the provider said, or shows a second effect. Then
 * it is kept and put on the desk too.
 */
export function contradicts(state: CallState, line: EndedLine): boolean {
  switch (line.outcome) {
    case 'unknown':
      return false;
    case 'again':
    case 'refused':
      return state.believed.length === 1 && state.believed.includes(line.attempt);
    case 'done':
      return speaksAgainst(state, line.attempt, line.provider_id);
  }
}

function speaksAgainst(state: CallState, attempt: number, providerId: string | null): boolean {
  const known = state.phase === 'done' && state.providerId !== null && providerId !== null;
  if (known) return state.providerId !== providerId;
  if (attempt <= state.deniedUpTo || state.foundDiffers) return true;
  return state.phase !== 'done' && state.byVerdict !== null;
}
