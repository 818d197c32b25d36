import type { RequestKind, Taken } from './request-rates.js';

/**
 * What an answer tells of the account's window, as draft-ietf-httpapi-ratelimit-headers-11 has it:
 * `q` requests in `w` seconds; of them `r` are left for the next `t` seconds.
 */
export function rateLimitHeaders(
  kind: RequestKind,
  { quota, left, endsInMs }: Taken,
  windowS: number,
): { readonly 'RateLimit-Policy': string; readonly RateLimit: string } {
  return {
    'RateLimit-Policy': `"${kind}";q=${quota};w=${windowS}`,
    RateLimit: `"${kind}";r=${left};t=${wholeSeconds(endsInMs)}`,
  };
}

/** Seconds, rounded up: who waits for so long waits for long enough. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
