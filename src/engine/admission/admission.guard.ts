import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Problem } from '../http/problem.js';
import { DEADLINE_HEADER } from './caller-deadline.js';
import { rateLimitHeaders, wholeSeconds } from './rate-limit-headers.js';
import { WINDOW_S } from './request-windows.store.js';

/**
 * Counts a request of a known caller, and refuses it before anything is done when its account has
 * used up its window. Throws Problem: rate-limited; overloaded when the caller's deadline has
 * passed meanwhile.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { caller, method, headers } = request;
    if (caller === undefined) return true;
    const { rates, refuse } = this.engine.admission;
    const kind = method === 'GET' || method === 'HEAD' ? 'reads' : 'writes';
    const taken = await rates.take(caller.account, kind);
    const told = rateLimitHeaders(kind, taken, WINDOW_S);
    http.getResponse<FastifyReply>().headers(told);
    if (!taken.isGranted) {
      throw new Problem('rate-limited', {
        detail: `The account has made its ${taken.quota} ${kind} of ${WINDOW_S} seconds.`,
        members: { limited_by: kind },
        headers: { 'Retry-After': `${wholeSeconds(taken.endsInMs)}` },
        turnedAway: 'requests',
      });
    }
    // The key, the body and the window took their time.
    const late = refuse({ deadline: headers[DEADLINE_HEADER], startsRun: false });
    if (late?.details.turnedAway === 'deadline') throw late;
    return true;
  }
}
