import type { CancelAnswer } from '../saga/cancel.js';
import type { SagaDefinition } from '../saga/definition.js';
import type { Tick } from '../saga/journal.js';
import type { RunState } from '../saga/run-state.js';
import type { Direction } from '../saga/step-key.js';
import type { Choice } from './choices.js';
import type { Effect } from './providers.js';
import type { Written } from './journal.js';

/** One attempt that was sent, and what was known then. */
export interface Sent {
  readonly at: number;
  readonly step: string;
  readonly direction: Direction;
  readonly attempt: number;
  /** The record before the attempt was begun. */
  readonly record: RunState;
  /** What the driver decided by: its own copy of the run, and the timers that had fired. */
  readonly driver: { readonly run: RunState; readonly ticks: readonly Tick[] };
}

/**
 * Everything that happened in one played run: what was promised is checked against it. Times are
 * milliseconds after the acceptance.
 */
export interface Played {
  readonly saga: SagaDefinition;
  /** What went well after the last fault that an exploration plays has no name there. */
  readonly choices: readonly Choice[];
  readonly written: readonly Written[];
  /** How the record stood after each write, the last one last. */
  readonly states: readonly RunState[];
  /** How the record stood at last. */
  readonly run: RunState;
  readonly sent: readonly Sent[];
  /** What really happened at the providers, in order. */
  readonly effects: readonly Effect[];
  readonly cancels: readonly { readonly at: number; readonly answer: CancelAnswer }[];
  /** When the unwinding began, and how the record stood before it. */
  readonly turned: { readonly at: number; readonly record: RunState } | null;
  /** A truth that a person at the desk could not say, in a sentence. */
  readonly unspoken: string | null;
  /** Why it was broken off: it went on without end. */
  readonly endless: string | null;
}
