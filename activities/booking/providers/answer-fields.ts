import { z } from 'zod';

/**
 * A name that a provider gave. It goes into the record, into histories and into the path of the
 * next call, so it is a word: it cannot begin with a dot, hold a slash or carry a sentence.
 */
export const ProviderId = z.string().regex(/^[A-Za-z0-9][\w.:-]{0,127}$/);

/** What a provider answers when it is asked for everything under one reference. */
export function listOf<Entry>(entry: z.ZodType<Entry>): z.ZodType<Entry[]> {
  return z.object({ data: z.array(entry) }).transform(({ data }) => data);
}
