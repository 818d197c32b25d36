import { randomBytes } from 'node:crypto';

/** RFC 4648 base32 in lower case: no colon, no case to confuse, safe in a URL and in a key. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;

export type IdPrefix = 'bk' | 'case';

/** What is in front of the underscore of an id. */
export function prefixOf(id: string): IdPrefix {
  return id.slice(0, id.indexOf('_')) as IdPrefix;
}

/**
 * Makes a new opaque id such as `bk_` and 26 lower-case base32 characters: 130 random bits, so two
 * are never the same. Ids say nothing about time or order.
 */
export function newId(prefix: IdPrefix): string {
  return idOf(prefix, randomBytes(LENGTH));
}

/** The id that 26 bytes or more make, by five bits of each. */
export function idOf(prefix: IdPrefix, bytes: Uint8Array): string {
  const characters = Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET.charAt(byte & 31));
  return `${prefix}_${characters.join('')}`;
}
