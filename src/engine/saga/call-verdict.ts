import { isSettled, type CallState, type Standing } from './call-state.js';
import type { VerdictLine } from './journal.js';

/**
 * A person decided about a call. What a fact has settled meanwhile stays as the fact says: then the
 * verdict comes too late to mean anything.
 */
export function decide(
  state: CallState,
  { verdict, seq, provider_id: providerId = null }: VerdictLine & { seq: number },
  at: Standing,
): CallState {
  if (isSettled(state) && state.phase !== 'refused') return state;
  const settled = { ...state, byVerdict: verdict, unknowns: [] };
  switch (verdict) {
    case 'happened':
      return { ...settled, phase: 'done', providerId, believed: mayHaveHappened(state) };
    case 'undone-by-hand':
      return { ...settled, phase: 'by-hand' };
    case 'left-as-is':
      return { ...settled, phase: 'left' };
    case 'did-not-happen':
      return anew(settled, seq, at);
  }
}

/** The attempts of which one is now believed to have taken effect. */
function mayHaveHappened({ unknowns, inFlight }: CallState): readonly number[] {
  return inFlight === null ? unknowns : [...unknowns, inFlight];
}

/** Attempted anew, with all patience; but what is in flight is awaited, for it may still happen. */
function anew(state: CallState, seq: number, at: Standing): CallState {
  const { inFlight, attempt } = state;
  return {
    ...state,
    phase: inFlight === null ? restart(at) : 'sending',
    deniedUpTo: inFlight === null ? attempt : inFlight - 1,
    byVerdict: null,
    used: 0,
    pause: { of: seq, ms: 0 },
    refusedAs: null,
    foundDiffers: false,
    keyExpired: false,
    askPause: null,
    tryingMs: 0,
    askingMs: 0,
    tryingFromMs: null,
    askingFromMs: null,
  };
}

function restart(at: Standing): 'not-happened' | 'waiting' {
  return at.direction === 'do' && at.unwinding ? 'not-happened' : 'waiting';
}
