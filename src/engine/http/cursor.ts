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

/** Where an event stands among those of its account: see 0010_events.sql. */
export interface EventPlace {
  readonly xid: string;
  readonly position: string;
}

/** Eighteen digits fit into what Postgres makes of them. */
const EventCursor = z.tuple([
  z.string().regex(/^\d{1,18}$/),
  z.string().regex(/^\d{1,18}$/),
  z.string(),
]);

/**
 * The cursor that goes on after a position, opaque to the caller. `list` is everything that decides
 * what is listed: account and filters. A cursor is good for the same list only.
 */
export function writeCursor(position: Position, list: unknown): string {
  return write([position.at, position.id, nameOf(list)]);
}

/** As `writeCursor`, for a list of events. */
export function writeEventCursor(place: EventPlace, list: unknown): string {
  return write([place.xid, place.position, nameOf(list)]);
}

function write(cursor: readonly string[]): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** The position in a cursor; null for none. Throws Problem: query-invalid for any other text. */
export function readCursor(cursor: string | undefined, list: unknown): Position | null {
  if (cursor === undefined) return null;
  const [at, id] = open(cursor, Cursor, list);
  return { at, id };
}

/** As `readCursor`, for a list of events. Throws Problem: query-invalid. */
export function readEventCursor(cursor: string | undefined, list: unknown): EventPlace | null {
  if (cursor === undefined) return null;
  const [xid, position] = open(cursor, EventCursor, list);
  return { xid, position };
}

type Opened = readonly [string, string, string];

function open(cursor: string, schema: z.ZodType<Opened>, list: unknown): Opened {
  const parsed = schema.safeParse(parse(cursor));
  if (parsed.success && parsed.data[2] === nameOf(list)) return parsed.data;
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
