import type { SagaDefinition } from '../saga/definition.js';
import { foldJournal } from '../saga/run-state.js';
import { viewRun, type RunView } from '../saga/run-view.js';
import type { RunSnapshot } from './read-runs.store.js';

/** What runs that are accepted together have in common. */
export interface Acceptance {
  readonly account: string;
  readonly definition: SagaDefinition;
  /** How long after its last news the sweep first looks at a run, in milliseconds. */
  readonly lookAfterMs: number;
}

export interface NewRun {
  readonly id: string;
  /** The account's own name for it; null: none. At most one living run has it. */
  readonly reference: string | null;
  readonly input: unknown;
}

/** What is on record when runs are about to be accepted. */
export interface Ground {
  readonly account: string;
  /** When they are accepted, by the database's clock. */
  readonly now: Date;
  /** Those of their ids that earlier runs have. */
  readonly takenIds: ReadonlySet<string>;
  /** The living run that has a reference, by the reference. */
  readonly living: ReadonlyMap<string, string>;
}

/** A run as it is read once it is accepted, for an answer that is given with its acceptance. */
export function acceptedRun(
  { account, definition }: Acceptance,
  { id, reference, input }: NewRun,
  now: Date,
): RunSnapshot {
  const { state, direction, status, steps, failure, remains } = accepted(definition);
  const { name: saga, version, deadlineMs } = definition;
  return {
    ...{ id, account, saga, version, reference, input, results: [] },
    ...{ state, direction, status, steps, failure, remains },
    lastSeq: 1,
    problem: null,
    problemStep: null,
    stuckSince: null,
    createdAt: now,
    updatedAt: now,
    deadlineAt: deadlineMs === null ? null : new Date(now.getTime() + deadlineMs),
    endedAt: null,
    cancelRequestedAt: null,
    pivotBegunAt: null,
    unwindingBecause: null,
  };
}

/** What becomes of a run that is asked for. */
export type Decided<Asked> =
  | { readonly asked: Asked; readonly run: NewRun }
  /** The living run that has its reference. */
  | { readonly asked: Asked; readonly inUseBy: string };

/**
 * Which of these runs are accepted, and as what, in their order. An id that an earlier run has, for
 * a claim long over, is replaced by a fresh one. Of two under one reference the first one has it.
 */
export function decideAcceptance<Asked extends { readonly order: NewRun }>(
  { takenIds, living }: Ground,
  all: readonly Asked[],
  freshId: (like: string) => string,
): readonly Decided<Asked>[] {
  const holders = new Map(living);
  return all.map((asked) => {
    const { id, reference, input } = asked.order;
    const inUseBy = reference === null ? undefined : holders.get(reference);
    if (inUseBy !== undefined) return { asked, inUseBy };
    const run = { id: takenIds.has(id) ? freshId(id) : id, reference, input };
    if (reference !== null) holders.set(reference, run.id);
    return { asked, run };
  });
}

const acceptedAs = new WeakMap<SagaDefinition, RunView>();

/** Where a run stands whose journal says no more than that it was accepted. */
export function accepted(definition: SagaDefinition): RunView {
  const known = acceptedAs.get(definition);
  if (known !== undefined) return known;
  const view = viewRun(foldJournal(definition, [{ seq: 1, kind: 'accepted' }]));
  acceptedAs.set(definition, view);
  return view;
}
