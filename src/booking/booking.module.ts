import { Module } from '@nestjs/common';
import { BookingController } from './booking.controller.js';
import { CancellationsController } from './cancellations.controller.js';
import { EventsController } from './events.controller.js';
import { QuoteCancellation } from './quote-cancellation.provider.js';

/** The HTTP face of trips. It needs `EngineModule` beside it. */
@Module({
  controllers: [BookingController, CancellationsController, EventsController],
  providers: [QuoteCancellation],
})
export class BookingModule {}
