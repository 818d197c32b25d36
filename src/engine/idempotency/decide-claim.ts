/** What a key is held by, as far as the decision needs it. */
export type Holding =
  /** An answer that is still honoured. */
  | { readonly kind: 'answered'; readonly fingerprint: Buffer }
  /** A handler in phases. `leaseMs`: what is left of its lease, by the database's clock. */
  | { readonly kind: 'at-work'; readonly fingerprint: Buffer; readonly leaseMs: number };

/** What becomes of a request whose key nobody else looks at for now. */
export type ClaimDecision = 'proceed' | 'replay' | 'mismatch' | 'busy' | 'resume';

/**
 * The gate's rule. What was done is answered again; something else under its key is refused, also
 * while the first is still being done; what is being done is waited for, and taken over when the
 * lease of whoever does it is over.
 */
export function decideClaim(holding: Holding | null, asked: Buffer): ClaimDecision {
  if (holding === null) return 'proceed';
  if (!holding.fingerprint.equals(asked)) return 'mismatch';
  if (holding.kind === 'answered') return 'replay';
  return holding.leaseMs > 0 ? 'busy' : 'resume';
}
