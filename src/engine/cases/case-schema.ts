import { z } from 'zod';
import { Money } from '../http/money.js';
import { Words } from '../http/words.js';

export const CASE_STATES = ['open', 'resolved', 'settled'] as const;
export const VERDICTS = ['happened', 'did-not-happen', 'undone-by-hand', 'left-as-is'] as const;

/** How long evidence and reason may be, in characters. */
export const VERDICT_WORDS_MOST = 2_000;
const time = z.string().meta({ format: 'date-time' });
const text = z.string().nullable();
const direction = z.enum(['do', 'undo']);

/** A verdict as it is sent. */
export const VerdictRequest = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    value: z.unknown().optional().meta({ description: 'What the act answers, when it happened.' }),
    amount: Money.optional(),
    evidence: Words(VERDICT_WORDS_MOST).meta({
      description: 'What shows it: the provider’s own record.',
    }),
    reason: Words(VERDICT_WORDS_MOST),
    dry_run: z.boolean().optional().meta({
      description: 'Answer what would happen, and change nothing.',
    }),
  })
  .meta({ id: 'VerdictRequest' });
export type VerdictRequest = z.infer<typeof VerdictRequest>;

/** Verdicts to begin with. */
export const VERDICT_EXAMPLES: Readonly<
  Record<string, { readonly summary: string; readonly value: VerdictRequest }>
> = {
  happened: {
    summary: 'It happened; the case says which value is needed',
    value: {
      verdict: 'happened',
      value: { id: 'rs_9' },
      evidence: 'The hotel read reservation rs_9 to us on the phone.',
      reason: 'They have the reservation.',
    },
  },
  'did-not-happen': {
    summary: 'It did not happen, and may be done again',
    value: {
      verdict: 'did-not-happen',
      evidence: 'The hotel has no reservation of this name; Ms Rao looked.',
      reason: 'They never got our request.',
    },
  },
};

/** One call to a provider, as it was begun and as it ended. */
export const AttemptView = z
  .object({
    step: z.string(),
    direction,
    attempt: z.int(),
    state: z.enum(['sending', 'done', 'refused', 'again', 'unknown']),
    began_at: time,
    send_by: time,
    ended_at: time.nullable(),
    detail: text,
    provider_id: text,
    worker: z.string(),
  })
  .meta({ id: 'Attempt' });
export type AttemptView = z.infer<typeof AttemptView>;

/** A case as it is listed, and as a run names it. */
export const CaseView = z
  .object({
    object: z.literal('case'),
    id: z.string(),
    run: z.string(),
    account: z.string(),
    saga: z.string(),
    version: z.int(),
    step: z.string(),
    direction,
    problem: z.string(),
    state: z.enum(CASE_STATES),
    opened_at: time,
    closed_at: time.nullable(),
    verdict: z.enum(VERDICTS).nullable(),
    evidence: text,
    reason: text,
    resolved_by: text,
    amount: z.object({ amount: z.int(), currency: z.string() }).nullable(),
  })
  .meta({ id: 'Case' });
export type CaseView = z.infer<typeof CaseView>;

/** What a person needs to decide: every attempt, and what each verdict would do. */
export const DecidableCase = CaseView.extend({
  provider: text,
  act: text,
  attempts: z.array(AttemptView),
  verdicts: z.array(
    z.object({
      verdict: z.enum(VERDICTS),
      needs_value: z.boolean(),
      value_example: z.unknown().meta({ description: 'How such a value looks; null: none is.' }),
      effect: z.string(),
    }),
  ),
}).meta({ id: 'DecidableCase' });
export type DecidableCase = z.infer<typeof DecidableCase>;

/** What the provider was sent, and under which key it can be asked for it. */
export const SentView = z
  .object({
    key: z.string(),
    input: z.unknown(),
    first_sent_at: time.nullable(),
    provider_id: text,
  })
  .meta({ id: 'Sent' });
export type SentView = z.infer<typeof SentView>;

/** A case as it is read: with what was sent, which is personal. */
export const WholeCase = DecidableCase.extend({ sent: SentView.nullable() }).meta({
  id: 'WholeCase',
});
export type WholeCase = z.infer<typeof WholeCase>;

/** A page of cases. */
export const CasePage = z
  .object({ data: z.array(CaseView), has_more: z.boolean(), next_cursor: text })
  .meta({ id: 'CasePage' });
export type CasePage = z.infer<typeof CasePage>;
