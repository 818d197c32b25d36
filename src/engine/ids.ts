import { randomBytes } from 'node:crypto';

/** RFC 4648 base32 in lower case: no colon, no case to confuse, safe in a URL and in a key. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;

const PREFIX = /^[a-z]{1,13}$/;

/** What is in front of the underscore of an id. */
export function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('_'));
}

/**
 * Makes a new opaque id such as `bk_` and 26 lower-case base32 characters: 130 random bits, so two
 * are never the same. Ids say nothing about time or order. The prefix says what it names: 1 to 13
 * letters from a to z; throws a RangeError for another.
 */
export function newId(prefix: string): string {
  return idOf(prefix, randomBytes(LENGTH));
}

/** The id that 26 bytes or more make, by five bits of each. Throws as `newId` does. */
export function idOf(prefix: string, bytes: Uint8Array): string {
  if (!PREFIX.test(prefix)) {
    throw new RangeError(`an id begins with 1 to 13 letters from a to z, not with "${prefix}"`);
  }
  const characters = Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET.charAt(byte & 31));
  return `${prefix}_${characters.join('')}`;
}

const SECRET_BYTES = 32;

/** A new secret of 256 random bits: 43 characters of A-Z, a-z, 0-9, - and _. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
