import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export const ROLES = ['customer', 'operator'] as const;
/** `customer`: the account's own bookings. `operator`: besides these, every run and every case. */
export type Role = (typeof ROLES)[number];

/** A key as it is shown once, and what is kept of it. */
export interface NewApiKey {
  readonly id: string;
  /** `rk_<id>_<secret>`: the fixed start lets scanners find a key that got out. */
  readonly key: string;
  readonly hash: Buffer;
}

const ID_BYTES = 8;
/** 256 random bits: more than a fast hash needs to be safe at rest. */
const SECRET_BYTES = 32;
const SHAPE = /^rk_([a-z0-9]{1,40})_[A-Za-z0-9_-]{43}$/;

/** Makes a key from the system's randomness. */
export function newApiKey(): NewApiKey {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = `rk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { id, key, hash: hashOf(key) };
}

/** The id in a key; null for what has not the shape of one. */
export function keyId(key: string): string | null {
  return SHAPE.exec(key)?.[1] ?? null;
}

/** Whether a key is the one that is kept; takes the same time wherever they differ. */
export function isSameKey(key: string, hash: Buffer): boolean {
  return timingSafeEqual(hashOf(key), hash);
}

/** The key in `Authorization: Bearer <key>`; null when there is none. The scheme has no case. */
export function bearerKey(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1] ?? null;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}
