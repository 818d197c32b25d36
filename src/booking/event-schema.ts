import { PageQuery } from 'recourse/nest';
import { z } from 'zod';
import { STATUSES } from './booking-schema.js';

const text = z.string().nullable();

export const EventsQuery = PageQuery;
export type EventsQuery = z.infer<typeof EventsQuery>;

/** What happened to a booking. Types and members may be added. */
export const BookingEvent = z
  .object({
    object: z.literal('event'),
    id: z.string().meta({
      description: 'The same wherever it is told, so that an event that comes twice is known.',
    }),
    type: z.string().meta({
      description:
        '`booking.created`; `booking.` and the status, when that changes; `booking.step` on a ' +
        'stream, when the state or the undo of a step does.',
      examples: ['booking.confirmed'],
    }),
    api_version: z.string(),
    created_at: z.string().meta({ format: 'date-time' }),
    data: z
      .object({
        object: z.literal('booking'),
        id: z.string(),
        reference: text,
        status: z.enum(STATUSES),
        step: z.object({ name: z.string(), state: z.string(), undo: z.string() }).nullable(),
        failure: z.object({ code: z.string(), step: text, message: z.string() }).nullable(),
      })
      .meta({
        description:
          'The booking as it stood when this happened, so that it stays true: what it is now is ' +
          'read at `/v1/bookings/{id}`.',
      }),
  })
  .meta({ id: 'BookingEvent' });
export type BookingEvent = z.infer<typeof BookingEvent>;

export const BookingEventPage = z
  .object({ data: z.array(BookingEvent), has_more: z.boolean(), next_cursor: text })
  .meta({ id: 'BookingEventPage' });
export type BookingEventPage = z.infer<typeof BookingEventPage>;

/** One event of a stream, by its fields: what a client of server-sent events makes of its lines. */
export const STREAMED_EVENT = {
  type: 'object',
  required: ['id', 'event', 'data'],
  properties: {
    id: { type: 'string', description: 'What Last-Event-ID goes on after.' },
    event: { type: 'string', description: 'The `type` of the event.' },
    data: {
      type: 'string',
      description: 'A BookingEvent, as JSON in one line.',
      contentMediaType: 'application/json',
    },
  },
};
