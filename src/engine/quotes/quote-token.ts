import { createHash } from 'node:crypto';

/** Under which a token is kept: who reads the database cannot confirm anything. */
export function tokenHash(token: string): Buffer {
  // Nobody guesses 256 random bits, so it needs no salt and no slow hash.
  return createHash('sha256').update(token, 'utf8').digest();
}
