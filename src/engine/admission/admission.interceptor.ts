import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { waitSeconds } from '../http/prefer.js';
import { RawBody } from '../http/raw-body.js';

const NO_BODY = new Uint8Array();

/**
 * Keeps a place for a request as long as it is worked on, also when its client has gone, and lets
 * it wait for its turn; or keeps a place of those who wait for news. Throws Problem: rate-limited,
 * overloaded.
 */
@Injectable()
export class AdmissionInterceptor implements NestInterceptor {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.caller === undefined) return next.handle();
    const leave = await this.#enter(request, request.caller.account);
    return next.handle().pipe(finalize(leave));
  }

  async #enter(request: FastifyRequest, account: string): Promise<() => void> {
    const { method, url, headers, idempotencyKey: key, body } = request;
    const { works, turns, waiting } = this.engine.admission;
    if (method === 'GET' && waitSeconds(headers.prefer?.toString()) !== null) {
      return waiting.enter(account);
    }
    const bytes = body instanceof RawBody ? body.bytes : NO_BODY;
    const work = key === undefined ? null : { key, asks: `${method} ${url}`, body: bytes };
    const place = works.enter(account, work);
    // What starts a run is done in groups, whose transactions have a bound of their own.
    const isGrouped = request.routeOptions.config.startsRun === true;
    if (place.isShared || isGrouped) return place.leave;
    try {
      const end = await turns.take(account);
      return () => {
        end();
        place.leave();
      };
    } catch (error) {
      place.leave();
      throw error;
    }
  }
}
