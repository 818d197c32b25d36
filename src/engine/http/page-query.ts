import { z } from 'zod';
import type { Position } from './cursor.js';
import { writeCursor } from './cursor.js';

const LIMIT_MOST = 100;
const LIMIT_DEFAULT = 20;
const LIMIT = `must be a whole number from 1 to ${LIMIT_MOST}`;

/** What every list takes: where to go on, and how much. */
export const PageQuery = z.strictObject({
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: '`next_cursor` of the page before, asked with the same filters.' }),
  limit: z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text), {
      abort: true,
      error: LIMIT,
      params: { code: 'wrong-format' },
    })
    .transform(Number)
    .pipe(z.int().min(1, { error: LIMIT }).max(LIMIT_MOST, { error: LIMIT }))
    // In the description it is the number that it means.
    .meta({ type: 'integer', minimum: 1, maximum: LIMIT_MOST })
    .default(LIMIT_DEFAULT)
    .meta({ description: `1 to ${LIMIT_MOST}, ${LIMIT_DEFAULT} when it is left out.` }),
});

/** What every list answers. `list` is everything that decides what is listed. */
export function presentPage<Item>(
  data: Item[],
  next: Position | null,
  list: unknown,
): { data: Item[]; has_more: boolean; next_cursor: string | null } {
  return {
    data,
    has_more: next !== null,
    next_cursor: next === null ? null : writeCursor(next, list),
  };
}
