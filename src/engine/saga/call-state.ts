import type { CallDefinition, Place } from './definition.js';
import type { Problem, Verdict } from './journal.js';
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

/** What a person must decide before this call goes on, or while it does; never a contradiction. */
export interface OpenCase {
  readonly id: string;
  readonly problem: Problem;
}

export interface CallState {
  readonly phase: Phase;
  /** The number of the line that began the first attempt: the order of starting. */
  readonly order: number | null;
  readonly attempt: number;
  /** The attempt that was begun and has not ended: it may still take effect. */
  readonly inFlight: number | null;
  /** Attempts that count against the retry policy since a person last said "again". */
  readonly used: number;
  /**
   * Attempts whose outcome nobody knows. Only a fact about them, a finding or a verdict ends it.
   */
  readonly unknowns: readonly number[];
  readonly refusedAs: string | null;
  readonly pause: Pause | null;
  readonly askPause: Pause | null;
  /** How long it has been tried, and asked about, since the start or since a person decided. */
  readonly tryingMs: number;
  readonly askingMs: number;
  /** What the journal's own times said then; null: the next line tells. */
  readonly tryingFromMs: number | null;
  readonly askingFromMs: number | null;
  readonly keyExpired: boolean;
  readonly foundDiffers: boolean;
  readonly openCase: OpenCase | null;
  readonly byVerdict: Verdict | null;
  /** After "it happened": the attempts of which one must have taken effect. */
  readonly believed: readonly number[];
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
  inFlight: null,
  used: 0,
  unknowns: [],
  refusedAs: null,
  pause: null,
  askPause: null,
  tryingMs: 0,
  askingMs: 0,
  tryingFromMs: 0,
  askingFromMs: 0,
  keyExpired: false,
  foundDiffers: false,
  openCase: null,
  byVerdict: null,
  believed: [],
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

/** Whether the retry policy allows no further attempt. */
export function isUsedUp(state: CallState, call: CallDefinition): boolean {
  const { attempts, withinMs } = call.retry;
  if (attempts !== null && state.used >= attempts) return true;
  return withinMs !== null && state.tryingMs + (state.pause?.ms ?? 0) > withinMs;
}

/** How long it has been tried or asked about, in milliseconds. */
export function patienceOf(state: CallState): number {
  return Math.max(state.tryingMs, state.askingMs);
}

/**
 * Whether its author would rather miss it than learn more. On the way back nobody sends a message
 * only to learn whether it was sent.
 */
export function prefersAMiss(at: Standing): boolean {
  if (at.call.whenUnknown === 'prefer-miss') return true;
  return at.call.whenUnknown === 'prefer-duplicate' && at.unwinding;
}
