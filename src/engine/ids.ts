import { randomBytes } from 'node:crypto';

/** RFC 4648 base32 in lower case: no colon, no case to confuse, safe in a URL and in a key. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;

export type IdPrefix = 'bk' | 'case';

/**
 * Makes a new opaque id such as `bk_` and 26 lower-case base32 characters: 130 random bits, so two
 * are never the same. Ids say nothing about time or order.
 */
export function newId(prefix: IdPrefix): string {
  const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte & 31));
  return `${prefix}_${characters.join('')}`;
}
