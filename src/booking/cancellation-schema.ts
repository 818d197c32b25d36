import { AnyText } from 'recourse/nest';
import { z } from 'zod';

/** Far longer than a token is: what is longer is none. */
const TOKEN_MOST = 200;

/** What a quote is confirmed with. */
export const ConfirmRequest = z
  .strictObject({
    token: AnyText(TOKEN_MOST)
      .min(1)
      .meta({ description: 'The `token` of the quote, as it was answered.' }),
  })
  .meta({ id: 'ConfirmRequest' });
export type ConfirmRequest = z.infer<typeof ConfirmRequest>;

export const CANCELLATION_ID =
  'The id of the quote, as it was answered: `quote_` and 26 characters.';

const time = z.string().meta({ format: 'date-time' });
const money = z.object({ amount: z.int(), currency: z.string() });

/** What a domain says of a quote, and keeps with it. */
export const CancellationTerms = z.object({
  ends_as: z
    .string()
    .nullable()
    .meta({
      description:
        'The status that the booking will have: `cancelled`, or `failed` where it turned back ' +
        'already; null where a person decides something before.',
    }),
  undoes: z
    .array(
      z.object({
        step: z.string(),
        what: z.string(),
        only_if: z.string().nullable().meta({
          description: '`it-took-effect`: it is with its provider, and will be undone if it did.',
        }),
      }),
    )
    .meta({ description: 'What will be undone, or has been.' }),
  refund: money.meta({ description: 'What is given back in all, of what was paid.' }),
  fees: money.meta({ description: 'What is kept of it.' }),
  cannot_be_undone: z
    .array(z.object({ step: z.string(), why: z.string() }))
    .meta({ description: 'What nobody can promise to undo.' }),
});
export type CancellationTerms = z.infer<typeof CancellationTerms>;

/** A quote of a cancel as it is answered. Members may be added. */
export const Cancellation = z
  .object({
    object: z.literal('cancellation'),
    id: z.string(),
    booking: z.string(),
    state: z.enum(['quoted', 'confirmed', 'expired']),
    ...CancellationTerms.shape,
    created_at: time,
    expires_at: time,
    token: z
      .string()
      .nullable()
      .meta({
        description:
          'Confirms the quote, once, until `expires_at`. It is told by the answer that made the ' +
          'quote, and by its replays, and nowhere else: null where a quote is read.',
      }),
  })
  .meta({ id: 'Cancellation' });
export type Cancellation = z.infer<typeof Cancellation>;
