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
  ApiTags,
} from '@nestjs/swagger';
import {
  Answer,
  ClientGone,
  CurrentCaller,
  CurrentClaim,
  Idempotent,
  IdPipe,
  jsonBytes,
  newId,
  presentPage,
  Problem,
  readCursor,
  Runs,
  waitSeconds,
  type Caller,
  type Claim,
  type RunSnapshot,
} from 'recourse/nest';
import { bookTripV1 } from '../../workflows/booking/book-trip.v1.saga.js';
import { answerCancel } from './answer-cancel.js';
import {
  Booking,
  BookingPage,
  BookingRequest,
  BookingsQuery,
  CancelRequest,
} from './booking-schema.js';
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
  @ApiOperation({ summary: 'Book a trip' })
  @ApiAcceptedResponse({ standardSchema: Booking, description: 'Accepted, and pending.' })
  book(
    @CurrentClaim() claim: Claim,
    @Body({ schema: BookingRequest }) request: BookingRequest,
  ): Promise<Answer> {
    const { reference = null, metadata = {}, ...trip } = request;
    const input: TripOrder = { ...trip, metadata };
    const order = { id: newId('bk'), definition: bookTripV1, reference, input };
    return this.runs.start(claim, order, (run) => ({
      status: 202,
      body: presentBooking(run),
      location: `/v1/bookings/${run.id}`,
    }));
  }

  @Get()
  @ApiOperation({ summary: 'List bookings, the newest first' })
  @ApiOkResponse({ standardSchema: BookingPage, description: 'One page of them.' })
  async list(
    @CurrentCaller() { account }: Caller,
    @Query({ schema: BookingsQuery }) query: BookingsQuery,
  ): Promise<BookingPage> {
    const { status = null, reference = null, cursor, limit } = query;
    const filter = { account, saga: bookTripV1.name, status, reference };
    const page = { after: readCursor(cursor, filter), limit };
    const { runs, next } = await this.runs.list(filter, page);
    return presentPage(runs.map(presentBooking), next, filter);
  }

  @Get(':id')
  @ApiHeader({ name: 'Prefer', required: false, description: '`wait=N` holds it, 30 s at most.' })
  @ApiOperation({ summary: 'Read a booking' })
  @ApiOkResponse({ standardSchema: Booking, description: 'The booking as it is now.' })
  async read(
    @Param('id', IdPipe) id: string,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() { account }: Caller,
    @ClientGone() signal: AbortSignal,
  ): Promise<Answer> {
    const seconds = waitSeconds(prefer);
    const wait = { limitMs: (seconds ?? 0) * 1_000, signal, isSettled };
    const run = await this.runs.findWhen(account, id, wait);
    return new Answer(200, jsonBytes(presentBooking(onlyTrip(run))), {
      Vary: 'Prefer',
      ...(seconds === null ? {} : { 'Preference-Applied': `wait=${seconds}` }),
    });
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @Idempotent()
  @ApiOperation({ summary: 'Cancel a booking that is not confirmed yet: 202 is a promise' })
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @ApiAcceptedResponse({ standardSchema: Booking, description: 'It will not be confirmed.' })
  cancel(
    @Param('id', IdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: Claim,
    @Body({ schema: CancelRequest }) _request: unknown,
  ): Promise<Answer> {
    return this.runs.cancel(claim, caller, id, (answer, run) =>
      answerCancel(answer, onlyTrip(run)),
    );
  }
}

function isSettled(run: RunSnapshot): boolean {
  return !MOVING.has(run.status);
}

/** A run of another saga is no booking. */
function onlyTrip(run: RunSnapshot): RunSnapshot {
  if (run.saga !== bookTripV1.name) throw new Problem('not-found');
  return run;
}
