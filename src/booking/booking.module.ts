import { Module } from '@nestjs/common';
import { BookingController } from './booking.controller.js';
import { EventsController } from './events.controller.js';

/** The HTTP face of trips. It needs `EngineModule` beside it. */
@Module({ controllers: [BookingController, EventsController] })
export class BookingModule {}
