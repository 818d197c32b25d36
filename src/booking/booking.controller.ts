import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import {
  Answer,
  Answers,
  BodyExamples,
  claimedId,
  ClientGone,
  CurrentCaller,
  CurrentClaim,
  entityTag,
  Idempotent,
  IdPipe,
  jsonBytes,
  presentPage,
  readCursor,
  Refuses,
  Runs,
  StartsRun,
  TakesIfMatch,
  waitSeconds,
  type CancelAnswer,
  type Caller,
  type Claim,
  type RunSnapshot,
} from 'recourse/nest';
import { BOOK_TRIP } from '../../workflows/booking/book-trip.saga.js';
import { answerCancel } from './answer-cancel.js';
import { ACCEPTED, CANCELLED, LISTED, READ } from './booking-answers.js';
import { BOOKING_EXAMPLES } from './booking-examples.js';
import {
  Booking,
  BOOKING_ID,
  BookingPage,
  BookingRequest,
  BookingsQuery,
  CancelRequest,
} from './booking-schema.js';
import { onlyTrip } from './only-trip.js';
import { presentBooking, type TripOrder } from './present-booking.js';

/** While it is one of these, something is still being done, and `Prefer: wait` holds the answer. */
const MOVING: ReadonlySet<string> = new Set(['pending', 'cancelling', 'failing']);

/** Trips, for those who book them. */
@ApiTags('bookings')
@Controller('v1/bookings')
export class BookingController {
  constructor(@Inject(Runs) private readonly runs: Runs) {}

  @Post()
  @HttpCode(202)
  @Idempotent()
  @StartsRun()
  @ApiOperation({
    summary: 'Book a trip',
    description:
      'It is accepted once it is on record, whatever else is away, and goes on by itself: read ' +
      'it to see how it ends. Only a wrong request is refused.',
  })
  @BodyExamples(BOOKING_EXAMPLES)
  @Answers({ examples: ACCEPTED, always: ['Location', 'Idempotency-Expires'] })
  @Refuses('reference-in-use')
  @ApiAcceptedResponse({ standardSchema: Booking, description: 'Accepted, and pending.' })
  book(
    @CurrentClaim() claim: Claim,
    @Body({ schema: BookingRequest }) request: BookingRequest,
  ): Promise<Answer> {
    const { reference = null, metadata = {}, ...trip } = request;
    const input: TripOrder = { ...trip, metadata };
    const order = { id: claimedId('bk', claim), saga: BOOK_TRIP, reference, input };
    return this.runs.start(claim, order, (run) => ({
      status: 202,
      body: presentBooking(run),
      location: `/v1/bookings/${run.id}`,
    }));
  }

  @Get()
  @ApiOperation({ summary: 'List bookings, the newest first' })
  @Answers({ examples: LISTED })
  @ApiOkResponse({ standardSchema: BookingPage, description: 'One page of them.' })
  async list(
    @CurrentCaller() { account }: Caller,
    @Query({ schema: BookingsQuery }) query: BookingsQuery,
  ): Promise<BookingPage> {
    const { status = null, reference = null, cursor, limit } = query;
    const filter = { account, saga: BOOK_TRIP, status, reference };
    const page = { after: readCursor(cursor, filter), limit };
    const { runs, next } = await this.runs.list(filter, page);
    return presentPage(runs.map(presentBooking), next, filter);
  }

  @Get(':id')
  @ApiParam({ name: 'id', description: BOOKING_ID })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description: '`wait=N` holds the answer for N seconds, 30 at most, while the booking moves.',
    schema: { type: 'string', example: 'wait=10' },
  })
  @ApiOperation({ summary: 'Read a booking' })
  @Answers({ examples: READ, always: ['ETag', 'Vary'], sometimes: ['Preference-Applied'] })
  @ApiOkResponse({ standardSchema: Booking, description: 'The booking as it is now.' })
  async read(
    @Param('id', IdPipe) id: string,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() { account }: Caller,
    @ClientGone() signal: AbortSignal,
  ): Promise<Answer> {
    const seconds = waitSeconds(prefer);
    const wait = { limitMs: (seconds ?? 0) * 1_000, signal, isSettled };
    const run = onlyTrip(await this.runs.findWhen(account, id, wait));
    const bytes = jsonBytes(presentBooking(run));
    return new Answer(200, bytes, {
      ETag: entityTag(run.lastSeq, bytes),
      Vary: 'Prefer',
      ...(seconds === null ? {} : { 'Preference-Applied': `wait=${seconds}` }),
    });
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @Idempotent()
  @ApiOperation({ summary: 'Cancel a booking that is not confirmed yet: 202 is a promise' })
  @ApiParam({ name: 'id', description: BOOKING_ID })
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @BodyExamples({ nothing: { summary: 'The address says it all', value: {} } })
  @Answers({ examples: CANCELLED, always: ['Location', 'Idempotency-Expires'] })
  @TakesIfMatch('booking')
  @Refuses('pivot-in-progress', 'past-pivot', 'already-ended')
  @ApiAcceptedResponse({ standardSchema: Booking, description: 'It will not be confirmed.' })
  cancel(
    @Param('id', IdPipe) id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: Claim,
    @Body({ schema: CancelRequest }) _request: unknown,
  ): Promise<Answer> {
    const present = (answer: CancelAnswer, run: RunSnapshot) => answerCancel(answer, onlyTrip(run));
    return this.runs.cancel(claim, caller, id, present, ifMatch);
  }
}

function isSettled(run: RunSnapshot): boolean {
  return !MOVING.has(run.status);
}
