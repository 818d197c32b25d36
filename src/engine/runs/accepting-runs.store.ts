import type { Tx } from '../database/database.js';
import { Problem } from '../http/problem.js';
import type { Effect, SharedWork } from '../idempotency/claims.store.js';
import { newId, prefixOf } from '../ids.js';
import type { SagaDefinition } from '../saga/definition.js';
import type { Sealer } from '../sealing/seal.js';
import { acceptedRun, decideAcceptance, type Ground, type NewRun } from './accept-runs.js';
import { acceptRuns, lookBeforeAccepting } from './accept-runs.store.js';
import type { RunSnapshot } from './read-runs.store.js';

/** A run that is asked for, and how the answer shows it. */
export interface AskedRun {
  readonly definition: SagaDefinition;
  readonly order: NewRun;
  readonly present: (run: RunSnapshot) => Effect;
}

/**
 * Accepts the runs that an account asks for at about the same time. One whose reference a living
 * run has is refused with Problem: reference-in-use, and keeps no other from being accepted.
 */
export function acceptingRuns(parts: {
  readonly sealer: Sealer;
  readonly lookAfterMs: number;
}): SharedWork<AskedRun, Ground> {
  const { sealer, lookAfterMs } = parts;
  return {
    look: (tx, account, asks) =>
      lookBeforeAccepting(
        tx,
        account,
        asks.map(({ order }) => order),
      ),
    work: (_tx, ground, asks) => {
      const { account, now } = ground;
      const runsOf = new Map<SagaDefinition, NewRun[]>();
      const decided = decideAcceptance(ground, asks, (id) => newId(prefixOf(id)));
      const result = decided.map((one) => {
        if ('inUseBy' in one) return inUse(one.inUseBy);
        const { definition, present } = one.asked;
        runsOf.set(definition, [...(runsOf.get(definition) ?? []), one.run]);
        return present(acceptedRun({ account, definition, lookAfterMs }, one.run, now));
      });
      const last = [...runsOf].map(
        ([definition, runs]) =>
          (tx: Tx) =>
            acceptRuns(tx, sealer, { account, definition, lookAfterMs }, runs),
      );
      return Promise.resolve({ result, last });
    },
  };
}

const inUse = (run: string) => new Problem('reference-in-use', { members: { in_use_by: run } });
