import { inTransaction, type Database, type Tx } from '../database/database.js';
import { inAccount } from '../database/in-account.store.js';
import { jsonBytes, type Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import type { Sealer } from '../sealing/seal.js';
import type { Claim } from './claim.js';
import type { ClaimsInFlight, Found } from './claims-in-flight.js';
import { claimId } from './claim-id.js';
import { decideClaim } from './decide-claim.js';
import { readHeldClaim, saveAnswer, tryLockKey } from './held-claim.store.js';
import type { RecentAnswers } from './recent-answers.js';
import { answerOf, openBody, sealBody, type Effect, type StoredAnswer } from './stored-answer.js';

export type { Claim } from './claim.js';
export type { Effect } from './stored-answer.js';

/** What the gate works with. */
export interface GateParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly recent: RecentAnswers;
  readonly inFlight: ClaimsInFlight;
}

/** Whose rows a request may touch: those of its account, or everybody's. */
export type Reach = 'own' | 'all';

/** An answer, and whether its effect is from now or from an earlier request. */
export interface ClaimedAnswer {
  readonly answer: Answer;
  readonly replayed: boolean;
}

/**
 * Gives a request its effect exactly once: claim, effect and answer commit in one transaction, so a
 * crash leaves all or nothing. Asked again within the window it answers the same bytes, marked
 * `Idempotent-Replayed`. When `work` throws, everything is rolled back and the key stays free. It
 * must do nothing but query, and what it queries is the account's own, unless `reach` says that an
 * operator acts on all of them. Throws Problem: in-progress while another request holds the key,
 * key-reused for another request under the same key; ClaimDaysMissing.
 */
export async function idempotently(
  gate: GateParts,
  claim: Claim,
  work: (tx: Tx) => Promise<Effect>,
  reach: Reach = 'own',
): Promise<ClaimedAnswer> {
  const known = findHere(gate, claim);
  // Nothing is awaited between the look and the hold: whoever comes next finds it.
  if (known === undefined) {
    return gate.inFlight.hold(claim, (tell) => claimAndWork(gate, claim, { work, reach }, tell));
  }
  const found = await known;
  if (found === null) throw inProgress();
  return { answer: found, replayed: true };
}

/** What this process knows by itself; undefined: nothing, and nobody of it is at it. */
export function findHere(
  { recent, inFlight }: Pick<GateParts, 'recent' | 'inFlight'>,
  claim: Claim,
): Found | Promise<Found> | undefined {
  return recent.find(claim) ?? inFlight.find(claim);
}

async function claimAndWork(
  gate: GateParts,
  claim: Claim,
  { work, reach }: { readonly work: (tx: Tx) => Promise<Effect>; readonly reach: Reach },
  tell: (found: Found) => void,
): Promise<ClaimedAnswer> {
  const asOf = gate.recent.now();
  const id = claimId(claim);
  const { sealer } = gate;
  const claimed = async (tx: Tx): Promise<Came> => {
    if (!(await tryLockKey(tx, id))) throw inProgress();
    const held = await readHeldClaim(tx, id);
    if (decideClaim(held, claim.fingerprint) === 'mismatch') throw new Problem('key-reused');
    // What was begun in phases, by another release of this very route, is ended in phases.
    if (held?.kind === 'at-work') throw inProgress();
    if (held !== null) {
      return { ...held, bytes: openBody(sealer, id, held.stored.body), replayed: true };
    }
    tell(null);
    const effect = await work(tx);
    const bytes = jsonBytes(effect.body);
    const body = sealBody(sealer, id, bytes);
    const stored = await saveAnswer(tx, { ...claim, ...headOf(effect), id, body });
    return { stored, bytes, leftMs: Infinity, replayed: false };
  };
  const came = await (reach === 'own'
    ? inAccount(gate.database, claim.account, claimed)
    : inTransaction(gate.database, claimed));
  const { stored, bytes, leftMs, replayed } = came;
  const replay = answerOf(stored, bytes, true);
  gate.recent.keep(claim, replay, asOf, leftMs);
  tell(replay);
  return { answer: replayed ? replay : answerOf(stored, bytes, false), replayed };
}

interface Came {
  readonly stored: StoredAnswer;
  readonly bytes: Uint8Array;
  readonly leftMs: number;
  readonly replayed: boolean;
}

export function headOf({
  status,
  location,
  etag,
}: Effect): Pick<StoredAnswer, 'status' | 'location' | 'etag'> {
  return { status, location: location ?? null, etag: etag ?? null };
}

/** The refusal while a key is held. `leaseMs`: for so long nobody else goes on with it. */
export function inProgress(leaseMs = 0): Problem {
  const seconds = Math.max(1, Math.ceil(leaseMs / 1_000));
  return new Problem('in-progress', { headers: { 'Retry-After': `${seconds}` } });
}
