import type { Database } from '../database/database.js';
import { Problem } from '../http/problem.js';
import type { Sealer } from '../sealing/seal.js';
import type { Claim } from './claim.js';
import type { ClaimsInFlight, Found } from './claims-in-flight.js';
import type { RecentAnswers } from './recent-answers.js';

/** What the gate works with. */
export interface GateParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly recent: RecentAnswers;
  readonly inFlight: ClaimsInFlight;
}

/** What this process knows by itself; undefined: nothing, and nobody of it is at it. */
export function findHere(
  { recent, inFlight }: Pick<GateParts, 'recent' | 'inFlight'>,
  claim: Claim,
): Found | Promise<Found> | undefined {
  return recent.find(claim) ?? inFlight.find(claim);
}

/** The refusal while a key is held. `leaseMs`: for so long nobody else goes on with it. */
export function inProgress(leaseMs = 0): Problem {
  const seconds = Math.max(1, Math.ceil(leaseMs / 1_000));
  return new Problem('in-progress', { headers: { 'Retry-After': `${seconds}` } });
}
