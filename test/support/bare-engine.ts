import { Module, type DynamicModule } from '@nestjs/common';
import { EngineModule, type EngineParts } from '../../src/engine/engine.module.js';
import { Sagas } from '../../src/engine/sagas.js';

/** An installation without a domain: what the engine serves by itself. */
@Module({})
export class BareEngine {
  static forRoot(parts: EngineParts): DynamicModule {
    return { module: BareEngine, imports: [EngineModule.forRoot(parts)] };
  }
}

/** No sagas at all. */
export function noSagas(): Sagas {
  return new Sagas({ sagas: [], acts: {}, providers: {} });
}
