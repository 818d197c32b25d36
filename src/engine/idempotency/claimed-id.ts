import { createHash } from 'node:crypto';
import { idOf } from '../ids.js';
import type { Claim } from './claims.store.js';

/**
 * The id of what a request makes: the same for every repeat of it, so that a repeat which meets a
 * record that was restored from an older copy, and has forgotten the claim, finds what Temporal and
 * the providers know under it, and does nothing a second time. It tells nothing to who lacks
 * the request: account, key and body go into it, through sha256.
 */
export function claimedId(prefix: string, { account, key, fingerprint }: Claim): string {
  const words = JSON.stringify([account, key, fingerprint.toString('hex')]);
  return idOf(prefix, createHash('sha256').update(words, 'utf8').digest());
}
