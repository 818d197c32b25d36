import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { claimOf } from './current-claim.decorator.js';
import { PhasedClaims, PHASES } from './phased-claims.provider.js';
import type { PhasedHandler } from './phases.js';

/** Takes what the method of a route answers as the input of its phases, and answers by them. */
@Injectable()
export class PhasesInterceptor implements NestInterceptor {
  constructor(@Inject(PhasedClaims) private readonly claims: PhasedClaims) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const type = Reflect.getMetadata(PHASES, context.getHandler()) as Type<PhasedHandler<unknown>>;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next
      .handle()
      .pipe(mergeMap((input: unknown) => this.claims.answer(claimOf(request), type, input)));
  }
}
