import { Module } from '@nestjs/common';
import { BookingController } from './booking.controller.js';

/** The HTTP face of trips. It needs `EngineModule` beside it. */
@Module({ controllers: [BookingController] })
export class BookingModule {}
