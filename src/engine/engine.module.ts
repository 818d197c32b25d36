import { Module, type DynamicModule, type Type } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  DiscoveryModule,
  NestFactory,
} from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AdmissionGuard } from './admission/admission.guard.js';
import { AdmissionInterceptor } from './admission/admission.interceptor.js';
import { ApiKeyGuard } from './accounts/api-key.guard.js';
import { CasesController } from './cases/cases.controller.js';
import { ENGINE, type EngineParts } from './engine.tokens.js';
import { HealthController } from './health/health.controller.js';
import { AnswerInterceptor } from './http/answer.interceptor.js';
import { DrainProvider } from './http/drain.provider.js';
import type { FrontDoor } from './http/front-door.provider.js';
import { describeApi } from './http/openapi.provider.js';
import { serveDocs } from './http/docs.provider.js';
import { ProblemFilter } from './http/problem.filter.js';
import { ProblemsController } from './http/problems.controller.js';
import { SchemaPipe } from './http/schema.pipe.js';
import { RunsController } from './runs/runs.controller.js';
import { PhasedClaims } from './idempotency/phased-claims.provider.js';
import { Quotes } from './quotes/quotes.provider.js';
import { Runs } from './runs/runs.provider.js';

export type { EngineParts } from './engine.tokens.js';
export { StartsRun } from './admission/starts-runs.decorator.js';
export type { Caller } from './accounts/accounts.store.js';
export { CurrentCaller, Open, Roles } from './accounts/caller.decorator.js';
export { Answer, jsonBytes } from './http/answer.js';
export type { ToldEvent } from './events/event.js';
export { Answers, BodyExamples, Refuses, TakenFromLink } from './http/describe.decorator.js';
export { entityTag } from './http/entity-tag.js';
export { TakesIfMatch } from './http/takes-if-match.decorator.js';
export { ClientGone } from './http/client-gone.decorator.js';
export { readCursor } from './http/cursor.js';
export type { EventStream } from './http/event-stream.js';
export { RECOURSE_VERSION } from './http/recourse-version.js';
export { IdPipe } from './http/id.pipe.js';
export { Money } from './http/money.js';
export { PageQuery, presentPage } from './http/page-query.js';
export { waitSeconds } from './http/prefer.js';
export { Problem } from './http/problem.js';
export { StreamsEvents } from './http/streams-events.decorator.js';
export { AnyText, Words } from './http/words.js';
export type { CancelAnswer } from './saga/cancel.js';
export type { Quoted, StaysBecause } from './saga/cancel-outlook.js';
export type { CancelRefusal } from './saga/journal.js';
export { claimedId } from './idempotency/claimed-id.js';
export type { Claim, Effect } from './idempotency/claims.store.js';
export { CurrentClaim } from './idempotency/current-claim.decorator.js';
export { Idempotent } from './idempotency/idempotent.decorator.js';
export {
  phasesOf,
  type Phase,
  type PhaseContext,
  type PhasedHandler,
  type PhaseList,
} from './idempotency/phases.js';
export type { Tx } from './database/database.js';
export { newId } from './ids.js';
export type { Quote } from './quotes/quotes.store.js';
export { Quotes } from './quotes/quotes.provider.js';
export type { CallResult, RunSnapshot } from './runs/read-runs.store.js';
export { Runs } from './runs/runs.provider.js';
export { remainsAs, type Remainder } from './saga/remains.js';

/** A Nest module with the routes of a domain; `Runs` can be injected into what it holds. */
export type ApiModule = Type | DynamicModule;

/** The door `recourse/nest`: what is under /v1 and not of one domain, and what a domain needs. */
@Module({})
export class EngineModule {
  /** All that an API serves: what is the engine's, and the modules of domains. */
  static forRoot(parts: EngineParts, modules: readonly ApiModule[] = []): DynamicModule {
    return {
      module: EngineModule,
      global: true,
      imports: [DiscoveryModule, ...modules],
      controllers: [CasesController, HealthController, ProblemsController, RunsController],
      providers: [
        { provide: ENGINE, useValue: parts },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        // After it: it is known whose request it is.
        { provide: APP_GUARD, useClass: AdmissionGuard },
        { provide: APP_INTERCEPTOR, useClass: AdmissionInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
        { provide: APP_PIPE, useClass: SchemaPipe },
        DrainProvider,
        PhasedClaims,
        Quotes,
        Runs,
      ],
      exports: [PhasedClaims, Quotes, Runs],
    };
  }
}

/**
 * Builds the API on a front door, ready to listen. Closing it answers what is in flight and lets
 * kept connections go; what the root opened, the root closes. Throws what a module throws.
 */
export async function createApi(
  module: ApiModule,
  door: FrontDoor,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, door.adapter, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  // Once here, so that what cannot be described does not start; its links are known later.
  describeApi(app, door.publicUrl);
  let description: string | undefined;
  await serveDocs(
    door.adapter.getInstance<FastifyInstance>(),
    () => (description ??= JSON.stringify(describeApi(app, door.publicUrl))),
  );
  return app;
}
