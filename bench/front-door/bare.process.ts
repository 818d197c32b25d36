import 'reflect-metadata';
import { Body, Controller, HttpCode, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { BareBookings } from './bare-bookings.store.js';

// The least that can take a booking: Nest on Fastify, one route, one insert. It knows no accounts,
// checks no body, keeps no key, and starts nothing.
const bookings = new BareBookings(process.argv[2]);
await bookings.prepare();

@Controller('bookings')
class BareController {
  constructor(@Inject(BareBookings) private readonly bookings: BareBookings) {}

  @Post()
  @HttpCode(202)
  async book(@Body() body: unknown): Promise<{ readonly id: string }> {
    return { id: await this.bookings.add(body) };
  }
}

@Module({
  controllers: [BareController],
  providers: [{ provide: BareBookings, useValue: bookings }],
})
class BareModule {}

const app = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), {
  logger: false,
});
await app.listen(0, '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
process.stdout.write(`${JSON.stringify({ ready: true, url: await app.getUrl() })}\n`);
