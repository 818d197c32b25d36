import { Controller, Get, Headers, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  Answers,
  CurrentCaller,
  IdPipe,
  Runs,
  StreamsEvents,
  type Caller,
  type EventStream,
} from 'recourse/nest';
import { BOOK_TRIP } from '../../workflows/booking/book-trip.saga.js';
import { BOOKING_ID } from './booking-schema.js';
import { EVENT_EXAMPLE, LISTED } from './event-examples.js';
import { BookingEventPage, EventsQuery, STREAMED_EVENT } from './event-schema.js';
import { onlyTrip } from './only-trip.js';
import { presentEvent } from './present-event.js';

/** What happens to trips, for those who booked them. */
@ApiTags('bookings')
@Controller('v1')
export class EventsController {
  constructor(@Inject(Runs) private readonly runs: Runs) {}

  @Get('events')
  @ApiOperation({
    summary: 'List what happened to the bookings of the account, the first event first',
    description:
      'An event for each booking that was accepted and for each change of a status. The last ' +
      'page has a `next_cursor` too: ask again with it, now and then, and each event comes once, ' +
      'those of one booking in their order. `data` is the booking as it stood then.',
  })
  @Answers({ examples: LISTED })
  @ApiOkResponse({ standardSchema: BookingEventPage, description: 'One page of them.' })
  list(
    @CurrentCaller() { account }: Caller,
    @Query({ schema: EventsQuery }) { cursor, limit }: EventsQuery,
  ): Promise<BookingEventPage> {
    return this.runs.listEvents({ account, saga: BOOK_TRIP }, { cursor, limit }, presentEvent);
  }

  @Get('bookings/:id/events')
  @StreamsEvents()
  @ApiOperation({
    summary: 'Watch a booking: a stream of server-sent events',
    description:
      'All that has happened to it, then what happens, each as a BookingEvent in one line of ' +
      '`data`; its type is the `event`. A comment comes every 15 s. The stream ends when nothing ' +
      'more is done for the booking, and when the server ends: connect again with ' +
      '`Last-Event-ID`, and it goes on right after that event, or is answered 204 where it had ' +
      'ended. A browser’s own EventSource sends no API key: read the stream with `fetch`.',
  })
  @ApiParam({ name: 'id', description: BOOKING_ID })
  @ApiOkResponse({
    description: 'What happens, as it happens.',
    content: {
      'text/event-stream': { schema: STREAMED_EVENT, example: EVENT_EXAMPLE },
    },
  })
  async watch(
    @Param('id', IdPipe) id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @CurrentCaller() { account }: Caller,
  ): Promise<EventStream | Answer> {
    const run = onlyTrip(await this.runs.find(account, id));
    const stream = await this.runs.follow(run, lastEventId, presentEvent);
    return stream ?? new Answer(204, new Uint8Array());
  }
}
