import { Answer } from '../http/answer.js';
import type { Sealer } from '../sealing/seal.js';

/** What a request did, as it is answered now and on every retry. */
export interface Effect {
  readonly status: 200 | 201 | 202;
  readonly body: unknown;
  readonly location?: string;
  readonly etag?: string;
}

/** An answer as it lies in the table of claims. */
export interface StoredAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly etag: string | null;
  readonly body: Buffer;
  readonly expires_at: Date;
}

/** What is kept of an effect beside its body. */
export function headOf({
  status,
  location,
  etag,
}: Effect): Pick<StoredAnswer, 'status' | 'location' | 'etag'> {
  return { status, location: location ?? null, etag: etag ?? null };
}

/** What sealed bytes begin with, and no JSON does: claims from before were kept in clear. */
const SEALED = 1;

/** The bytes of an answer as they are kept: what was booked is personal, and lies for days. */
export function sealBody(sealer: Sealer, id: string, bytes: Uint8Array): Buffer {
  return sealer.sealBytes(bytes, placeOf(id));
}

/** The bytes as they were answered. Throws CannotOpen. */
export function openBody(sealer: Sealer, id: string, body: Buffer): Uint8Array {
  return body[0] === SEALED ? sealer.openBytes(body, placeOf(id)) : body;
}

/** The answer as it is sent first, or as a replay of it. */
export function answerOf(stored: StoredAnswer, bytes: Uint8Array, replayed: boolean): Answer {
  const { status, location, etag, expires_at: expiresAt } = stored;
  return new Answer(status, bytes, {
    'Idempotency-Expires': expiresAt.toISOString(),
    ...(location === null ? {} : { Location: location }),
    ...(etag === null ? {} : { ETag: etag }),
    ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}),
  });
}

const placeOf = (id: string): string => `claim:${id}`;
