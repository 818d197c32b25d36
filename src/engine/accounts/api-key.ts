import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export const ROLES = ['customer', 'operator'] as const;
/** `customer`: the account's own bookings. `operator`: besides these, every run and every case. */
export type Role = (typeof ROLES)[number];

/** A key as it is shown once, and what is kept of it. */
export interface NewApiKey {
  readonly id: string;
  /** `rk_<environment>_<id>_<secret>`: the fixed start lets scanners find a key that got out. */
  readonly key: string;
  readonly hash: Buffer;
}

/** A key as it comes with a request. */
export interface GivenKey {
  readonly id: string;
  readonly hash: Buffer;
}

const ID_BYTES = 8;
/** 256 random bits: more than a fast hash needs to be safe at rest. */
const SECRET_BYTES = 32;
const ENVIRONMENT = /^[a-z]{2,10}$/;
/** Keys from before environments were named have none, and stay valid. */
const SHAPE = /^rk_(?:[a-z]{2,10}_)?([a-z0-9]{1,40})_[A-Za-z0-9_-]{43}$/;

/** What a key is for unless it is said: customers who are served. */
export const LIVE = 'live';
/** What the keys of a local start are for. */
export const TEST = 'test';

/** Whether a word can stand in a key for what it is for. */
export function isEnvironment(word: string): boolean {
  return ENVIRONMENT.test(word);
}

/** Makes a key from the system's randomness. Throws a RangeError for no environment. */
export function newApiKey(environment: string = LIVE): NewApiKey {
  if (!isEnvironment(environment)) throw new RangeError(`${environment} is no environment`);
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = `rk_${environment}_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { id, key, hash: hashOf(key) };
}

/** The id in a key; null for what has not the shape of one. */
export function keyId(key: string): string | null {
  return SHAPE.exec(key)?.[1] ?? null;
}

/** What is compared of a key; null for what has not the shape of one. */
export function givenKey(key: string): GivenKey | null {
  const id = keyId(key);
  return id === null ? null : { id, hash: hashOf(key) };
}

/** Whether two hashes are of one key; takes the same time wherever they differ. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}

/** Whether a key is the one that is kept; takes the same time wherever they differ. */
export function isSameKey(key: string, hash: Buffer): boolean {
  return isSameHash(hashOf(key), hash);
}

/** The key in `Authorization: Bearer <key>`; null when there is none. The scheme has no case. */
export function bearerKey(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1] ?? null;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}
