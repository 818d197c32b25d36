import { inFewTrips, theRow, type Ending, type FewTrips, type Tx } from '../database/database.js';
import { lockedTo } from '../database/in-account.store.js';
import { jsonBytes, type Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import type { Claim } from './claim.js';
import type { Found } from './claims-in-flight.js';
import { claimId } from './claim-id.js';
import { decideClaim } from './decide-claim.js';
import { findHere, inProgress, type GateParts } from './gate.js';
import {
  readHeldClaims,
  saveAnswers,
  tryLockKeys,
  type FinishedClaim,
  type Held,
} from './held-claim.store.js';
import { answerOf, headOf, openBody, sealBody, type Effect } from './stored-answer.js';

export type { Claim } from './claim.js';
export type { GateParts } from './gate.js';
export type { Effect } from './stored-answer.js';

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
  const alone: SharedWork<null, void> = {
    look: () => Promise.resolve(),
    work: async (tx) => ({ result: [await work(tx)], last: [] }),
  };
  return onceHere(gate, claim, async (tell) =>
    doneOf(theRow(await claimTogether(gate, [wishOf(claim, null, tell)], alone, reach))),
  );
}

/**
 * Has a request of this process done by `work`, unless it is remembered here or another is at the
 * same claim: then it hears what that one has found. Throws Problem: in-progress; what `work` does.
 */
export async function onceHere(
  gate: GateParts,
  claim: Claim,
  work: (tell: (found: Found) => void) => Promise<ClaimedAnswer>,
): Promise<ClaimedAnswer> {
  const known = findHere(gate, claim);
  // Nothing is awaited between the look and the hold: whoever comes next finds it.
  if (known === undefined) return gate.inFlight.hold(claim, work);
  const found = await known;
  if (found === null) throw inProgress();
  return { answer: found, replayed: true };
}

/** What a request came to, thrown when it was refused. */
export function doneOf(outcome: ClaimedAnswer | Problem): ClaimedAnswer {
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

/** A request that may have its effect in one transaction with others of its account. */
export interface Wish<Ask> {
  /** Under which the claim is kept. */
  readonly id: string;
  readonly claim: Claim;
  readonly ask: Ask;
  /** Told null once its work begins, and the replay once its answer is committed. */
  readonly tell: (found: Found) => void;
}

/** A request as `claimTogether` takes it. */
export function wishOf<Ask>(claim: Claim, ask: Ask, tell: Wish<Ask>['tell']): Wish<Ask> {
  return { id: claimId(claim), claim, ask, tell };
}

/** Work that is done for several requests of one account in one transaction. */
export interface SharedWork<Ask, Ground> {
  /** Sent together with the look for the claims: it may only look, and lock. */
  readonly look: (tx: Tx, account: string, asks: readonly Ask[]) => Promise<Ground>;
  /**
   * The effect of each, in their order, or why it is refused, and what writes all those effects.
   * What it throws rolls everything back.
   */
  readonly work: (
    tx: Tx,
    ground: Ground,
    asks: readonly Ask[],
  ) => Promise<Ending<readonly (Effect | Problem)[]>>;
}

/**
 * Does for each of these what `idempotently` does for one, in one transaction: requests of one
 * account under different keys. Answers in their order what was done, or why it was refused: then
 * nothing was written for it. Throws what has kept all of them from being done.
 */
export async function claimTogether<Ask, Ground>(
  gate: GateParts,
  wishes: readonly Wish<Ask>[],
  shared: SharedWork<Ask, Ground>,
  reach: Reach = 'own',
): Promise<readonly (ClaimedAnswer | Problem)[]> {
  const asOf = gate.recent.now();
  const opening = reach === 'own' ? lockedTo(theRow(wishes).claim.account) : undefined;
  const parts: FewTrips<Looked<Ground>, readonly (Came | Problem | null)[]> = {
    look: (tx) => lookAt(tx, wishes, shared),
    work: async (tx, { locked, held, ground }) => {
      const before = wishes.map((one) => cameBefore(gate, one, locked, held));
      const free = wishes.filter((_, index) => before[index] === null);
      if (free.length === 0) return { result: before, last: [] };
      for (const { tell } of free) tell(null);
      const asks = free.map(({ ask }) => ask);
      const { result, last } = await shared.work(tx, ground, asks);
      const anew = free.map((one, index) => comesAnew(gate, one, result[index], held.expiresAt));
      const saved = anew.flatMap((one) => (one instanceof Problem ? [] : [one.stored]));
      const next = anew.values();
      return {
        result: before.map((one) => one ?? next.next().value ?? null),
        last: saved.length === 0 ? last : [...last, (tx: Tx) => saveAnswers(tx, saved)],
      };
    },
  };
  const outcomes = await inFewTrips(gate.database, parts, opening);
  return wishes.map(({ claim, tell }, index) => {
    const came = outcomes[index];
    if (came === null || came === undefined) throw new RangeError('a request came to nothing');
    if (came instanceof Problem) return came;
    const { stored, bytes, leftMs, replayed } = came;
    const replay = answerOf(stored, bytes, true);
    gate.recent.keep(claim, replay, asOf, leftMs);
    tell(replay);
    return { answer: replayed ? replay : answerOf(stored, bytes, false), replayed };
  });
}

interface Looked<Ground> {
  readonly locked: ReadonlySet<string>;
  readonly held: Held;
  readonly ground: Ground;
}

/** All of it goes in the round trip of the begin: the locks first, because what is read counts. */
async function lookAt<Ask, Ground>(
  tx: Tx,
  wishes: readonly Wish<Ask>[],
  { look }: SharedWork<Ask, Ground>,
): Promise<Looked<Ground>> {
  const ids = wishes.map(({ id }) => id);
  const asks = wishes.map(({ ask }) => ask);
  const { account } = theRow(wishes).claim;
  const [locked, held, ground] = await Promise.all([
    tryLockKeys(tx, ids),
    readHeldClaims(tx, ids),
    look(tx, account, asks),
  ]);
  return { locked, held, ground };
}

interface Came {
  readonly stored: FinishedClaim;
  readonly bytes: Uint8Array;
  readonly leftMs: number;
  readonly replayed: boolean;
}

/** What has to be said under a key that is not free; null: it is. */
function cameBefore(
  { sealer }: GateParts,
  { id, claim }: Wish<unknown>,
  locked: ReadonlySet<string>,
  { claims }: Held,
): Came | Problem | null {
  if (!locked.has(id)) return inProgress();
  const held = claims.get(id);
  if (held === undefined) return null;
  if (decideClaim(held, claim.fingerprint) === 'mismatch') return new Problem('key-reused');
  // What was begun in phases, by another release of this very route, is ended in phases.
  if (held.kind === 'at-work') return inProgress();
  const stored = { ...held.stored, id, account: claim.account, fingerprint: held.fingerprint };
  return { ...held, stored, bytes: openBody(sealer, id, held.stored.body), replayed: true };
}

function comesAnew(
  { sealer }: GateParts,
  { id, claim }: Wish<unknown>,
  effect: Effect | Problem | undefined,
  expiresAt: Date,
): Came | Problem {
  if (effect === undefined) throw new RangeError('a request was neither done nor refused');
  if (effect instanceof Problem) return effect;
  const { account, fingerprint } = claim;
  const bytes = jsonBytes(effect.body);
  const kept = { id, account, fingerprint, expires_at: expiresAt };
  const stored = { ...kept, ...headOf(effect), body: sealBody(sealer, id, bytes) };
  return { stored, bytes, leftMs: Infinity, replayed: false };
}
