import type { OpenAPIObject } from '@nestjs/swagger';
import { BookingModule } from '../../src/booking/booking.module.js';
import { createApi, EngineModule, type EngineParts } from '../../src/engine/engine.module.js';
import { FrontDoor } from '../../src/engine/http/front-door.provider.js';
import { describeApi } from '../../src/engine/http/openapi.provider.js';
import { UNWATCHED } from '../../src/engine/telemetry/meters.js';
import { keptLog } from './kept-log.js';

/** What `/openapi.json` of the example says, found out without a server of any kind. */
export async function describedApi(publicUrl: string): Promise<OpenAPIObject> {
  const door = new FrontDoor({ publicUrl, origins: [], log: keptLog(), meters: UNWATCHED });
  // Nothing is asked of the other parts before there is a request.
  const parts = { door } as EngineParts;
  return describeApi(
    await createApi(EngineModule.forRoot(parts, [BookingModule]), door),
    publicUrl,
  );
}
