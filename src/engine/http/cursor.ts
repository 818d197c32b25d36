import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Problem } from './problem.js';

/** Where a page of a list ended. */
export interface Position {
  /** Microseconds since 1970, as text: a Date would lose three digits. */
  readonly at: string;
  readonly id: string;
}

const Cursor = z.tuple([
  z.string().regex(/^\d{1,16}$/),
  z.string().regex(/^[a-z]+_[a-z2-7]{26}$/),
  z.string(),
]);

/**
 * The cursor that goes on after a position, opaque to the caller. `list` is everything that decides
 * what is listed: account and filters. A cursor is good for the same list only.
 */
export function writeCursor(position: Position, list: unknown): string {
  const cursor = [position.at, position.id, nameOf(list)];
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** The position in a cursor; null for none. Throws Problem: query-invalid for any other text. */
export function readCursor(cursor: string | undefined, list: unknown): Position | null {
  if (cursor === undefined) return null;
  const parsed = Cursor.safeParse(parse(cursor));
  if (parsed.success && parsed.data[2] === nameOf(list)) {
    return { at: parsed.data[0], id: parsed.data[1] };
  }
  throw new Problem('query-invalid', {
    detail: 'cursor must be the next_cursor that a page of this very list was answered with.',
    errors: [{ pointer: '/cursor', code: 'not-allowed' }],
  });
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

/** No secret: it only tells one list from another. */
function nameOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 16);
}
