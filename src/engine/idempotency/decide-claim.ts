/** A claim that committed, as far as the decision needs it. */
export interface StoredClaim {
  readonly fingerprint: Buffer;
  /** By the clock of the database. */
  readonly expired: boolean;
}

/** What becomes of a request whose key is ours alone for now. */
export type ClaimDecision = 'proceed' | 'replay' | 'mismatch';

/** The gate's rule: what was done is answered again; something else under its key is refused. */
export function decideClaim(stored: StoredClaim | null, asked: Buffer): ClaimDecision {
  if (stored === null || stored.expired) return 'proceed';
  return stored.fingerprint.equals(asked) ? 'replay' : 'mismatch';
}
