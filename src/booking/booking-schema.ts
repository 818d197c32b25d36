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
    reference: Words(200).optional(),
    traveller: Traveller,
    flight: z.strictObject({ offer: Words(100) }),
    hotel: z.strictObject({ offer: Words(100), nights: z.int().min(1).max(365) }),
    payment: Money.extend({ source: Words(200) }),
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

/** A cancel says all it has to say by its address. */
export const CancelRequest = z.strictObject({}).optional();

export const BookingsQuery = PageQuery.extend({
  status: z.enum(STATUSES).optional(),
  reference: AnyText(200).min(1).optional(),
});
export type BookingsQuery = z.infer<typeof BookingsQuery>;

const text = z.string().nullable();
const time = z.string().meta({ format: 'date-time' });

/** A booking as it is answered. Members and statuses may be added. */
export const Booking = z
  .object({
    object: z.literal('booking'),
    id: z.string(),
    status: z.enum(STATUSES),
    reference: text,
    total: z.object({ amount: z.int(), currency: z.string() }),
    steps: z.array(z.object({ name: z.string(), state: z.string(), undo: z.string() })),
    payment: z.object({
      charge: text,
      refunded: z.object({ amount: z.int(), currency: z.string() }),
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
