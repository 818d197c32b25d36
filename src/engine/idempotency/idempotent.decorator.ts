import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../accounts/caller.decorator.js';
import { SAMPLE_KEY } from '../http/docs-page.js';
import { RawBody } from '../http/raw-body.js';
import type { Claim } from './claims.store.js';
import { fingerprint } from './fingerprint.js';
import { readIdempotencyKey } from './idempotency-key.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `@Idempotent()`. */
    idempotencyKey?: string;
  }
}

/** Reads the key before anybody reads the body. Throws Problem: key-missing, key-malformed. */
@Injectable()
class IdempotencyKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    return true;
  }
}

/** Marks a POST that takes an Idempotency-Key, as every POST under /v1 must. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    UseGuards(IdempotencyKeyGuard),
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description:
        'A key of your own, such as a random UUID: a new one for each thing you want done, the ' +
        'same one on every retry of it. The same key with the same body gets the first answer ' +
        'again, with `Idempotent-Replayed: true`, for seven days; with another body it is refused.',
      schema: { type: 'string', minLength: 1, maxLength: 255, example: SAMPLE_KEY },
    }),
  );

/** The claim of the request to have its effect once; for handlers marked `@Idempotent()`. */
export const CurrentClaim = createParamDecorator((_: unknown, context: ExecutionContext): Claim => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
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
});
