import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../accounts/caller.decorator.js';
import { RawBody } from '../http/raw-body.js';
import type { Claim } from './claim.js';
import { fingerprint } from './fingerprint.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `@Idempotent()`. */
    idempotencyKey?: string;
  }
}

/** The claim of the request to have its effect once; for handlers marked `@Idempotent()`. */
export const CurrentClaim = createParamDecorator((_: unknown, context: ExecutionContext): Claim =>
  claimOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The claim of a request that `@Idempotent()` has let in. */
export function claimOf(request: FastifyRequest): Claim {
  const { method, url, query, body, idempotencyKey } = request;
  if (idempotencyKey === undefined) throw new TypeError('the handler is not @Idempotent()');
  return {
    account: callerOf(request).account,
    key: idempotencyKey,
    fingerprint: fingerprint({
      method,
      path: url.split('?', 1)[0] ?? url,
      query,
      body: body instanceof RawBody ? body.json() : undefined,
    }),
  };
}
