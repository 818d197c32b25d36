import { createHash } from 'node:crypto';
import type { Claim } from './claim.js';

const BYTES = 16;

/**
 * Under which a claim is kept, as a UUID: the first half of sha256 over account, colon and key. No
 * account has a colon in it, so no two pairs are written alike. The key cannot be read from it, and
 * who would have two pairs with one id has to try 2^64 of them.
 */
export function claimId({ account, key }: Pick<Claim, 'account' | 'key'>): string {
  const hash = createHash('sha256').update(`${account}:${key}`, 'utf8').digest();
  const hex = hash.subarray(0, BYTES).toString('hex');
  return [0, 8, 12, 16, 20].map((at, index, all) => hex.slice(at, all[index + 1])).join('-');
}
