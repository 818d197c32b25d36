import { z } from 'zod';

/** What strict JSON and Postgres keep out of every text. */
const WITHOUT_NUL = '^[^\\u0000]*$';
/** Control characters and what `trim` takes away. */
const BLANK =
  '\\u0000-\\u0020\\u007f-\\u00a0\\u1680\\u2000-\\u200a' +
  '\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/** A line on which something is printed: no control characters, and not only blanks. */
const PRINTED = `^[^${CONTROL}]*[^${BLANK}][^${CONTROL}]*$`;

/** How many characters a text has, as JSON Schema counts them: two halves make one. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** Any text of `most` characters at most; one outside the first plane counts as one. */
export function AnyText(most: number): z.ZodString {
  return z
    .string()
    .refine((text) => text.length <= most || lengthOf(text) <= most, {
      error: `must have at most ${most} characters`,
      params: { code: 'too-big' },
    })
    .meta({ maxLength: most, pattern: WITHOUT_NUL });
}

/** One line of text of `most` characters at most: not blank, and nothing that is not printed. */
export function Words(most: number): z.ZodString {
  return AnyText(most)
    .min(1)
    .refine((text) => !/\p{Cc}/u.test(text), { params: { code: 'character-not-allowed' } })
    .refine((text) => text === '' || text.trim() !== '', { params: { code: 'blank' } })
    .meta({ pattern: PRINTED });
}
