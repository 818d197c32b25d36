import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeyGuard } from './accounts/api-key.guard.js';
import { CasesController } from './cases/cases.controller.js';
import type { Database } from './database/database.js';
import {
  API_SETTINGS,
  DATABASE,
  LOGGER,
  RUN_NEWS,
  SAGAS,
  SEALER,
  TEMPORAL_RUNS,
} from './engine.tokens.js';
import { HealthController } from './health/health.controller.js';
import { AnswerInterceptor } from './http/answer.interceptor.js';
import { DrainProvider } from './http/drain.provider.js';
import { FRONT_DOOR, FrontDoor } from './http/front-door.provider.js';
import { describeApi } from './http/openapi.provider.js';
import { ProblemFilter } from './http/problem.filter.js';
import { ProblemsController } from './http/problems.controller.js';
import { SchemaPipe } from './http/schema.pipe.js';
import type { RunNews } from './runs/run-news.process.js';
import { RunsController } from './runs/runs.controller.js';
import { Runs, type ApiSettings } from './runs/runs.provider.js';
import type { TemporalRuns } from './runs/temporal-runs.js';
import type { Sagas } from './sagas.js';
import type { Sealer } from './sealing/seal.js';
import type { Logger } from './telemetry/logger.js';

export type { Caller } from './accounts/accounts.store.js';
export { CurrentCaller, Open, Roles } from './accounts/caller.decorator.js';
export { Answer, jsonBytes } from './http/answer.js';
export { ClientGone } from './http/client-gone.decorator.js';
export { readCursor } from './http/cursor.js';
export { IdPipe } from './http/id.pipe.js';
export { Money } from './http/money.js';
export { PageQuery, presentPage } from './http/page-query.js';
export { waitSeconds } from './http/prefer.js';
export { Problem } from './http/problem.js';
export { Words } from './http/words.js';
export type { CancelAnswer } from './saga/cancel.js';
export type { Claim, Effect } from './idempotency/claims.store.js';
export { CurrentClaim, Idempotent } from './idempotency/idempotent.decorator.js';
export { newId } from './ids.js';
export type { CallResult, RunSnapshot } from './runs/read-runs.store.js';
export { Runs, type ApiSettings } from './runs/runs.provider.js';

/** What the process root opens and closes, and the engine works with. */
export interface EngineParts {
  readonly door: FrontDoor;
  readonly database: Database;
  readonly temporal: TemporalRuns;
  readonly sagas: Sagas;
  readonly sealer: Sealer;
  readonly news: RunNews;
  readonly log: Logger;
  readonly settings: ApiSettings;
}

/** The door `recourse/nest`: everything under /v1 that is not of one domain, and what a domain needs. */
@Module({})
export class EngineModule {
  static forRoot(parts: EngineParts): DynamicModule {
    return {
      module: EngineModule,
      global: true,
      controllers: [CasesController, HealthController, ProblemsController, RunsController],
      providers: [
        { provide: FRONT_DOOR, useValue: parts.door },
        { provide: DATABASE, useValue: parts.database },
        { provide: TEMPORAL_RUNS, useValue: parts.temporal },
        { provide: SAGAS, useValue: parts.sagas },
        { provide: SEALER, useValue: parts.sealer },
        { provide: RUN_NEWS, useValue: parts.news },
        { provide: LOGGER, useValue: parts.log },
        { provide: API_SETTINGS, useValue: parts.settings },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
        { provide: APP_PIPE, useClass: SchemaPipe },
        DrainProvider,
        Runs,
      ],
      exports: [Runs],
    };
  }
}

/**
 * Builds the API on a front door, ready to listen. Closing it answers what is in flight and lets
 * kept connections go; what the root opened, the root closes. Throws what a module throws.
 */
export async function createApi(
  module: Type | DynamicModule,
  door: FrontDoor,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, door.adapter, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  const description = JSON.stringify(describeApi(app));
  door.adapter.getInstance().get('/openapi.json', (_request, reply) => {
    void reply.type('application/json; charset=utf-8').send(description);
  });
  return app;
}
