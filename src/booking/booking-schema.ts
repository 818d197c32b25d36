import { AnyText, Money, PageQuery, Words } from 'recourse/nest';
import { z } from 'zod';

const METADATA_PAIRS = 20;
const METADATA_NAME = 40;
const METADATA_VALUE = 500;
/** RFC 5321 allows no longer address. */
const EMAIL_MOST = 254;
/** Zod's own pattern, with the lengths that RFC 5321 and RFC 1035 allow before and between dots. */
const EMAIL = new RegExp(
  [
    /^(?=[^@]{1,64}@)(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@/,
    /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

const Metadata = z
  .record(AnyText(METADATA_NAME).min(1), AnyText(METADATA_VALUE))
  .refine((pairs) => Object.keys(pairs).length <= METADATA_PAIRS, {
    error: `must have at most ${METADATA_PAIRS} pairs`,
    params: { code: 'too-big' },
  })
  .meta({
    maxProperties: METADATA_PAIRS,
    description: 'The caller’s own: kept, given back, and never read.',
  });

/** What a reader has to know of a value. */
const said = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description });

const REFERENCE =
  'Your own name for it. An account has one booking of a reference at a time; it is free again ' +
  'once that one has failed, is cancelled, or is closed with nothing left of it.';

const Traveller = z.strictObject({
  name: Words(200),
  email: z.email({ pattern: EMAIL }).max(EMAIL_MOST),
});

/**
 * What a trip is booked with. A member that is not known is refused: a mistyped one may have meant
 * money.
 */
export const BookingRequest = z
  .strictObject({
    reference: Words(200).optional().meta({ description: REFERENCE }),
    traveller: Traveller,
    flight: z.strictObject({ offer: said(Words(100), 'What the airline calls the seat.') }),
    hotel: z.strictObject({
      offer: said(Words(100), 'What the hotel calls the room.'),
      nights: z.int().min(1).max(365),
    }),
    payment: Money.extend({
      source: said(Words(200), 'What the payment provider calls the card or account to charge.'),
    }),
    metadata: Metadata.optional(),
  })
  .meta({ id: 'BookingRequest' });
export type BookingRequest = z.infer<typeof BookingRequest>;

export const STATUSES = [
  'pending',
  'confirmed',
  'failing',
  'failed',
  'cancelling',
  'cancelled',
  'in_review',
  'closed',
] as const;

const STATUS =
  '`pending`: it goes on. `confirmed`: booked, for good. `failing`: a step was refused, what was ' +
  'done is being undone; `failed`: all of it is. `cancelling`, `cancelled`: the same, after a ' +
  'cancel. `in_review`: a person has to find out what nobody can know. `closed`: a person has ' +
  'ended it, and `resolution` says what remains.';

/** A cancel says all it has to say by its address. */
export const CancelRequest = z.strictObject({}).optional();

export const BookingsQuery = PageQuery.extend({
  status: z.enum(STATUSES).optional().meta({ description: 'Only bookings of this status.' }),
  reference: AnyText(200).min(1).optional().meta({ description: 'Only those of this reference.' }),
});
export type BookingsQuery = z.infer<typeof BookingsQuery>;

const STATE =
  '`not_started`, `in_progress`, `waiting` to be sent again, `done`, `refused`, `unknown`, ' +
  '`missed` where its author allows it, or `skipped`: it will never be sent.';
const UNDO =
  '`not_owed`: nothing to undo; `owed`: what would be undone if the booking turned back, which ' +
  'one that is confirmed does not; `in_progress`, `done`; `stuck`: on the desk; `by_hand`: by a ' +
  'person; `left`: a person left it as it is.';

const text = z.string().nullable();
const time = z.string().meta({ format: 'date-time' });

/** A booking as it is answered. Members and statuses may be added. */
export const Booking = z
  .object({
    object: z.literal('booking'),
    id: z.string(),
    status: said(z.enum(STATUSES), STATUS),
    reference: text,
    total: z.object({ amount: said(z.int(), 'In minor units.'), currency: z.string() }),
    steps: z.array(
      z.object({ name: z.string(), state: said(z.string(), STATE), undo: said(z.string(), UNDO) }),
    ),
    payment: z.object({
      charge: text,
      refunded: z.object({ amount: said(z.int(), 'In minor units.'), currency: z.string() }),
    }),
    flight: z.object({ order: text, ticket: text }),
    hotel: z.object({ reservation: text }),
    failure: z.object({ code: z.string(), step: text, message: z.string() }).nullable(),
    cancellation: z.object({ requested_at: time, completed_at: time.nullable() }).nullable(),
    resolution: z
      .object({ remains: z.array(z.object({ step: z.string(), what: z.string() })) })
      .nullable(),
    metadata: z.record(z.string(), z.string()),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Booking' });
export type Booking = z.infer<typeof Booking>;

export const BOOKING_ID = 'The id of the booking, as it was answered: `bk_` and 26 characters.';

export const BookingPage = z
  .object({ data: z.array(Booking), has_more: z.boolean(), next_cursor: text })
  .meta({ id: 'BookingPage' });
export type BookingPage = z.infer<typeof BookingPage>;
