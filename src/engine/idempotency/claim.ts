/** A request that may have its effect once. */
export interface Claim {
  readonly account: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}
