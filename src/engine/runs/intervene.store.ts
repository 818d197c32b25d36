import type { Tx } from '../database/database.js';
import { rehearse } from '../database/rehearse.store.js';
import type { EngineParts } from '../engine.tokens.js';
import { Answer, jsonBytes } from '../http/answer.js';
import { idempotently, type Claim, type Effect } from '../idempotency/claims.store.js';
import type { InterventionKind } from '../telemetry/meters.js';
import { presentAction, type ActionTaken } from './present-action.js';

/** How it is to be done, and as what it is counted. */
export interface Manner {
  readonly kind: InterventionKind;
  /** Only worked out: all of it is rolled back, and its claim is not taken. */
  readonly dryRun: boolean;
}

type Taken = Omit<ActionTaken, 'dryRun'>;

/**
 * Has `work` change the course of a run, once for its claim, and answers what changed and what
 * follows, or what `effect` makes of it. A dry run does the same work and rolls it back, so that it
 * says what would happen, refusals included. Throws what `work` throws, and Problem: in-progress,
 * key-reused.
 */
export async function intervene(
  engine: Pick<EngineParts, 'database' | 'sealer' | 'recent' | 'inFlight' | 'meters'>,
  claim: Claim,
  { kind, dryRun }: Manner,
  work: (tx: Tx) => Promise<Taken>,
  effect: (tx: Tx, taken: Taken) => Promise<Effect> = showAction,
): Promise<Answer> {
  if (dryRun) {
    const would = await rehearse(engine.database, work);
    return new Answer(200, jsonBytes(presentAction({ ...would, dryRun })));
  }
  let changed = false;
  const acts = async (tx: Tx) => {
    const taken = await work(tx);
    changed = taken.after.state.lastSeq > taken.before.state.lastSeq;
    return effect(tx, taken);
  };
  const { answer, replayed } = await idempotently(engine, claim, acts, 'all');
  if (changed && !replayed) engine.meters.intervened(kind);
  return answer;
}

function showAction(_tx: Tx, taken: Taken): Promise<Effect> {
  const body = presentAction({ ...taken, dryRun: false });
  return Promise.resolve({ status: 200, body });
}
