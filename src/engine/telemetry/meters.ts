import type { TurnedAway } from '../admission/turned-away.js';
import type { Answer } from '../providers/answer.js';
import type { AnyAct } from '../saga/act.js';
import type { RunAction } from '../saga/actions.js';
import type { Ending } from '../saga/journal.js';
import type { Finding, Outcome } from '../saga/outcome.js';

/** What a process tells of its providers: a worker calls them, an API asks for a quote. */
export interface ProviderMeters {
  /** An act, undo or find was performed, and came to this. */
  called(
    act: AnyAct,
    came: (Outcome<unknown> | Finding<unknown>)['kind'],
    durationMs: number,
  ): void;
  /** One request to a provider was made. */
  exchanged(provider: string, answer: Answer): void;
}

/** What a process tells of its work, for whoever watches it. Nothing is decided by it. */
export interface ApiMeters extends ProviderMeters {
  answered(request: AnsweredRequest): void;
  /** A request was answered with the problem of this code. */
  refused(code: string): void;
  /** A request that was not wrong was turned away, because there was too much to do. */
  turnedAway(why: TurnedAway): void;
  /** A new run was accepted, and its transaction stands. */
  accepted(saga: string): void;
  /** Temporal could not be told of an accepted run. */
  leftToRelay(): void;
  /** An operator changed the course of a run, and the transaction stands. */
  intervened(kind: InterventionKind): void;
}

/** What an operator can do about a run. */
export type InterventionKind = 'verdict' | RunAction;

export interface AnsweredRequest {
  readonly method: string;
  /** The pattern that the request matched; undefined: none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** A step of writing an attempt down: before its call, or after it. */
export type RecordPhase = 'begin' | 'end';

export interface WorkerMeters extends ProviderMeters {
  recorded(phase: RecordPhase, durationMs: number): void;
  /** Postgres did not confirm in time. */
  unrecorded(phase: RecordPhase): void;
  /** A run was brought to its end, and the transaction stands. */
  ended(saga: string, ending: Ending): void;
  /** These many runs live whose version this worker lacks, by `saga@version`. */
  lacking(runs: readonly { readonly version: string; readonly count: number }[]): void;
}

export interface RelayMeters {
  told(kind: 'start' | 'cancel' | 'look', result: 'sent' | 'unavailable' | 'refused'): void;
  turned(loop: RelayLoop, result: 'ok' | 'failed'): void;
  /**
   * The sweep looked at a silent run; one that was closed, missing, or replaced because it could
   * not go on, was started again.
   */
  looked(found: Looked): void;
}

export type Looked =
  | 'running'
  | 'unsent'
  | 'held'
  | 'ended'
  | 'older'
  | 'forgotten'
  | 'closed'
  | 'missing'
  | 'replaced';

export type RelayLoop = 'outbox' | 'sweep';

const nothing = (): void => undefined;

/** For a process that nobody watches. */
export const UNWATCHED: ApiMeters & WorkerMeters & RelayMeters = Object.freeze({
  answered: nothing,
  refused: nothing,
  turnedAway: nothing,
  accepted: nothing,
  leftToRelay: nothing,
  intervened: nothing,
  called: nothing,
  exchanged: nothing,
  recorded: nothing,
  unrecorded: nothing,
  ended: nothing,
  lacking: nothing,
  told: nothing,
  turned: nothing,
  looked: nothing,
});
