import { z } from 'zod';
import { Money } from '../http/money.js';

const WORDS_MOST = 2_000;
const words = z
  .string()
  .max(WORDS_MOST)
  .refine((text) => text.trim() !== '', { params: { code: 'blank' } });

/** A verdict as it is sent. */
export const VerdictRequest = z
  .strictObject({
    verdict: z.enum(['happened', 'did-not-happen', 'undone-by-hand', 'left-as-is']),
    value: z.json().optional().meta({ description: 'What the act answers, when it happened.' }),
    amount: Money.optional(),
    evidence: words.meta({ description: 'What shows it, such as the provider’s own record.' }),
    reason: words,
  })
  .meta({ id: 'VerdictRequest' });
export type VerdictRequest = z.infer<typeof VerdictRequest>;
