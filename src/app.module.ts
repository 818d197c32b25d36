import { Module, type DynamicModule } from '@nestjs/common';
import { EngineModule, type EngineParts } from 'recourse/nest';
import { BookingModule } from './booking/booking.module.js';

/** What this installation serves: the engine, and one module a domain. */
@Module({})
export class AppModule {
  static forRoot(parts: EngineParts): DynamicModule {
    return { module: AppModule, imports: [EngineModule.forRoot(parts), BookingModule] };
  }
}
