import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import {
  Answers,
  BodyExamples,
  CurrentCaller,
  CurrentClaim,
  Idempotent,
  IdPipe,
  Quotes,
  Refuses,
  TakenFromLink,
  type Answer,
  type Caller,
  type Claim,
} from 'recourse/nest';
import { answerCancel } from './answer-cancel.js';
import { CANCELLED } from './booking-answers.js';
import { Booking, BOOKING_ID, CancelRequest } from './booking-schema.js';
import { CONFIRM_EXAMPLES, QUOTES, QUOTES_READ } from './cancellation-examples.js';
import { Cancellation, CANCELLATION_ID, ConfirmRequest } from './cancellation-schema.js';
import { onlyTrip } from './only-trip.js';
import { presentCancellation } from './present-cancellation.js';
import { QuoteCancellation, type QuoteWish } from './quote-cancellation.provider.js';

/** Cancels that are looked at before they are made. */
@ApiTags('bookings')
@Controller('v1')
export class CancellationsController {
  constructor(@Inject(Quotes) private readonly quotes: Quotes) {}

  @Post('bookings/:id/cancellations')
  @HttpCode(201)
  @Idempotent({ phases: QuoteCancellation })
  @ApiOperation({
    summary: 'Ask what cancelling a booking would come to',
    description:
      'For a booking that is not confirmed yet. Its providers are asked meanwhile, and nothing ' +
      'is changed: what is quoted and never confirmed goes away by itself. Where a provider does ' +
      'not answer, or not clearly, nothing is quoted (`unavailable`) and the key stays free; a ' +
      'cancel without a quote is accepted all the same.',
  })
  @ApiParam({ name: 'id', description: BOOKING_ID })
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @BodyExamples({ nothing: { summary: 'The address says it all', value: {} } })
  @Answers({ examples: QUOTES, always: ['Location', 'Idempotency-Expires'] })
  @Refuses('pivot-in-progress', 'past-pivot', 'already-ended')
  @ApiCreatedResponse({ standardSchema: Cancellation, description: 'Quoted, and not done.' })
  quote(
    @Param('id', IdPipe) booking: string,
    @Body({ schema: CancelRequest }) _request: unknown,
  ): QuoteWish {
    return { booking };
  }

  @Get('cancellations/:id')
  @ApiOperation({ summary: 'Read the quote of a cancel, without its token' })
  @ApiParam({ name: 'id', description: CANCELLATION_ID })
  @Answers({ examples: QUOTES_READ })
  @ApiOkResponse({ standardSchema: Cancellation, description: 'The quote as it is now.' })
  async read(
    @Param('id', IdPipe) id: string,
    @CurrentCaller() { account }: Caller,
  ): Promise<Cancellation> {
    return presentCancellation(await this.quotes.find(account, id));
  }

  @Post('cancellations/:id/confirm')
  @HttpCode(202)
  @Idempotent()
  @ApiOperation({
    summary: 'Cancel a booking as it was quoted: 202 is a promise',
    description:
      'Takes the token of the quote, once. A token that is wrong, over, used or of another quote ' +
      'is `not-found`, and nothing is told about which. Where the booking has gone on, so that a ' +
      'cancel would come to something else than was quoted, it is `changed-since-you-looked`. No ' +
      'refusal takes the token.',
  })
  @ApiParam({ name: 'id', description: CANCELLATION_ID })
  @BodyExamples(CONFIRM_EXAMPLES)
  @TakenFromLink('token')
  @Answers({ examples: CANCELLED, always: ['Location', 'Idempotency-Expires'] })
  @Refuses('pivot-in-progress', 'past-pivot', 'already-ended', 'changed-since-you-looked')
  @ApiAcceptedResponse({ standardSchema: Booking, description: 'It will not be confirmed.' })
  confirm(
    @Param('id', IdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: Claim,
    @Body({ schema: ConfirmRequest }) { token }: ConfirmRequest,
  ): Promise<Answer> {
    return this.quotes.confirm(claim, caller, { id, token }, (answer, run) =>
      answerCancel(answer, onlyTrip(run)),
    );
  }
}
