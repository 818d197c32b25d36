import { createHash } from 'node:crypto';
import type { Tx } from '../database/database.js';
import { idOf } from '../ids.js';
import type { Effect } from './stored-answer.js';

/** What a phase knows beside what the phases before it have found. */
export interface PhaseContext {
  readonly account: string;
  /**
   * The key to send with a request to a provider: 26 characters of a-z and 2-7. The same for
   * everybody who ever goes on with this claim, so that the provider sees a repeat as one; another
   * one for another `what`.
   */
  readonly keyFor: (what: string) => string;
  /** The id of what the claim makes, such as `quote_…`: the same for everybody who goes on. */
  readonly idFor: (prefix: string) => string;
  /** Aborted when the lease is over: somebody else may be at it, so nothing more is sent. */
  readonly signal: AbortSignal;
}

/** A part of the work, after which a crash loses nothing of it. */
export interface Phase<State, Found, Next> {
  /**
   * What is done outside of any transaction, such as asking a provider. Done again after a crash,
   * and by two at once when the first is slower than its lease: so it sends `keyFor`, or only
   * reads. A Problem below 500, or `unavailable`, that it throws refuses the request and frees
   * the key.
   */
  readonly work: (state: State, about: PhaseContext) => Promise<Found>;
  /**
   * Its effects, in one transaction with the recovery point after it: done once, by whoever holds
   * the lease. It must do nothing but query. Answers what the next phase needs, as JSON.
   */
  readonly write: (tx: Tx, found: Found, state: State, about: PhaseContext) => Promise<Next>;
}

/** A phase whose types have been checked where it was listed. */
export type ListedPhase = Phase<unknown, unknown, unknown> & { readonly name: string };

/** All phases of a handler whose first one takes an `Input`. */
export interface PhaseList<Input> {
  readonly all: readonly [ListedPhase, ...ListedPhase[]];
  readonly [takes]?: (input: Input) => void;
}
declare const takes: unique symbol;

/** A handler whose work is done in phases, each of which another process can go on from. */
export interface PhasedHandler<Input> {
  /** Its name on record, for whoever goes on with its work; never changed while there is some. */
  readonly name: string;
  /**
   * How long a phase may take; then others may go on with it. Longer than the phase ever needs, and
   * short enough for a client to wait that long after a crash.
   */
  readonly leaseMs: number;
  readonly phases: PhaseList<Input>;
}

/** Phases one after another; see `phasesOf`. */
export interface PhaseChain<Input, State> {
  /** A phase that others follow. Its name is a recovery point: never changed, as the handler's. */
  phase<Found, Next>(name: string, phase: Phase<State, Found, Next>): PhaseChain<Input, Next>;
  /** The last one, whose effect is the answer. Throws a RangeError for a name that is twice. */
  answer<Found>(name: string, phase: Phase<State, Found, Effect>): PhaseList<Input>;
}

/** Begins a list of phases; the first one takes an `Input`, which has to be JSON. */
export function phasesOf<Input>(): PhaseChain<Input, Input> {
  return chain<Input, Input>([]);
}

function chain<Input, State>(before: readonly ListedPhase[]): PhaseChain<Input, State> {
  const listed = (name: string, phase: object) =>
    Object.freeze({ ...(phase as Phase<unknown, unknown, unknown>), name });
  return {
    phase: (name, phase) => chain([...before, listed(name, phase)]),
    answer: (name, phase) => {
      const [first, ...rest] = [...before, listed(name, phase)];
      const all: PhaseList<Input>['all'] = [first ?? listed(name, phase), ...rest];
      if (new Set(all.map((one) => one.name)).size === all.length) return Object.freeze({ all });
      throw new RangeError(`two phases of ${all.map((one) => one.name).join(', ')} have one name`);
    },
  };
}

const KEY_PREFIX = 'k';

/** What a phase of this claim is told of it. */
export function contextOf(
  claim: { readonly id: string; readonly account: string; readonly fingerprint: Buffer },
  signal: AbortSignal,
): PhaseContext {
  const { id, account, fingerprint } = claim;
  const made = (prefix: string, what: string) => {
    const words = JSON.stringify([id, fingerprint.toString('hex'), prefix, what]);
    return idOf(prefix, createHash('sha256').update(words, 'utf8').digest());
  };
  return {
    account,
    signal,
    keyFor: (what) => made(KEY_PREFIX, what).slice(KEY_PREFIX.length + 1),
    idFor: (prefix) => made(prefix, ''),
  };
}
