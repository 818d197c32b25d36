import type { Problem, Tick } from '../saga/journal.js';
import type { Move } from '../saga/next-moves.js';
import type { Direction } from '../saga/step-key.js';
import type { Seen } from './fates.js';

/** One call of one step. */
export interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** One attempt of a call. */
export interface OfAttempt extends OfCall {
  readonly attempt: number;
}

/** Moves that somebody else does; a driver waits by itself. */
export type WorkMove = Exclude<Move, { readonly kind: 'wait' }>;

/** Which move, of which life of the driver: who is told when it is over. */
export interface Begun {
  readonly name: string;
  readonly life: number;
}

/** What a driver is told when a move is over, beside the news of the record. */
export interface Told {
  readonly holdMs?: number;
  readonly stopped?: 'deadline';
}

/** How a provider behaves that is asked. */
export type Luck = 'answers' | 'is silent' | 'is silent for long' | 'holds something else';

/** One question to a provider, as it was put. */
export interface Question {
  readonly of: OfCall;
  readonly luck: Luck;
  /** The last attempt when it was put. */
  readonly attempt: number;
  /** How long until its last attempt can take effect no more; negative since then. */
  readonly settlesInMs: number;
  /** When the provider was first asked about this call. */
  readonly since: number;
}

/**
 * Whatever will happen, as data and no code: so a world can be copied at any moment, and the copy
 * goes on differently.
 */
export type Happening =
  /** An activity that only writes: it does its move, and is over. */
  | { readonly kind: 'writes'; readonly move: WorkMove; readonly begun: Begun }
  | { readonly kind: 'over'; readonly told: Told; readonly begun: Begun }
  /** A request takes effect at the provider, if it does at all. */
  | { readonly kind: 'lands'; readonly of: OfAttempt }
  /** An attempt is over for us; null: its process died with it. */
  | {
      readonly kind: 'answered';
      readonly of: OfAttempt;
      readonly seen: Seen | null;
      readonly begun: Begun;
    }
  /** What is seen of an attempt long after it was given up. */
  | { readonly kind: 'answered-late'; readonly of: OfAttempt; readonly seen: Seen }
  | { readonly kind: 'told-of-call'; readonly question: Question; readonly begun: Begun }
  /** The relay has the driver read the record. */
  | { readonly kind: 'look' }
  /** A timer of the driver. */
  | { readonly kind: 'fires'; readonly name: string; readonly then: Tick }
  /** A move that was to be held may be begun again. */
  | { readonly kind: 'held'; readonly begun: Begun }
  /** A person has looked at a case. */
  | {
      readonly kind: 'decides';
      readonly id: string;
      readonly of: OfCall;
      readonly problem: Problem;
    };
