import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { NEEDS_ROLE } from '../http/describe.decorator.js';
import { Problem } from '../http/problem.js';
import type { Caller } from './accounts.store.js';
import type { Role } from './api-key.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard; absent on what is open to everybody. */
    caller?: Caller;
  }
}

export const OPEN = 'recourse:open';
export const NEEDED_ROLES = 'recourse:roles';

/** Lets a request in without a key. Everything that does not say so needs one. */
export const Open = (): CustomDecorator => SetMetadata(OPEN, true);

/** Lets in only keys of these roles; without it every role is. */
export const Roles = (...roles: readonly Role[]): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(NEEDED_ROLES, roles), ApiExtension(NEEDS_ROLE, { roles }));

/** Who makes the request. Throws Problem: unauthenticated, where the guard let nobody in. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => {
    return callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  },
);

/** Who makes the request; throws Problem: unauthenticated. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Problem('unauthenticated');
  return request.caller;
}
