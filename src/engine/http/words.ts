import { z } from 'zod';

/** One line of text of `most` characters at most: not blank, and nothing that is not printed. */
export function Words(most: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !/\p{Cc}/u.test(text), { params: { code: 'character-not-allowed' } })
    .refine((text) => text === '' || text.trim() !== '', { params: { code: 'blank' } });
}
