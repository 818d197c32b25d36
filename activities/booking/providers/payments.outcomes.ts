import { NO_SUCH_THING } from 'recourse';
import type { AnswerTable } from 'recourse/activity';
import { z } from 'zod';
import { ProviderId } from './answer-fields.js';

/**
 * Payments honours the key. While the first request of a key is at work, the next is told so, and
 * did nothing itself. A key that came with another body is no refusal: something was done under it.
 */
const KEYED: AnswerTable = [
  { status: 409, code: 'in_progress', means: 'again', as: 'in-progress' },
  { status: 422, code: 'key_reused', means: 'unknown' },
];

export const CHARGE_ANSWERS: AnswerTable = KEYED;

/**
 * `already_refunded` stays a refusal: it does not say by whom. A refund of ours is found by its
 * reference; one that somebody else made is a case.
 */
export const REFUND_ANSWERS: AnswerTable = [
  ...KEYED,
  { status: 404, code: 'no_such_charge', means: 'refused', as: NO_SUCH_THING },
];

export const ChargeAnswer = z.object({
  id: ProviderId,
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  reference: z.string(),
});
export type ChargeAnswer = z.infer<typeof ChargeAnswer>;

export const RefundAnswer = z.object({
  id: ProviderId,
  status: z.string(),
  charge: ProviderId,
  amount: z.int(),
  reference: z.string(),
});
export type RefundAnswer = z.infer<typeof RefundAnswer>;
