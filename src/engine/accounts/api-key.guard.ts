import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Problem } from '../http/problem.js';
import { answerAs } from '../http/recourse-version.js';
import { bearerKey, type Role } from './api-key.js';
import { NEEDED_ROLES, OPEN } from './caller.decorator.js';

/**
 * Lets a request in by its API key. Throws Problem: unauthenticated, the same for no key, a wrong
 * one, a revoked one and an expired one; version-unknown; forbidden for the wrong role.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(ENGINE) private readonly engine: EngineParts,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(OPEN, targets) === true) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = bearerKey(request.headers.authorization);
    const caller = key === null ? null : await this.engine.keys.callerOf(key);
    if (caller === null) {
      throw new Problem('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    request.recourseVersion = answerAs(request.headers['recourse-version'], caller.version);
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    reply.header('Recourse-Version', request.recourseVersion);
    const roles = this.reflector.getAllAndOverride<readonly Role[] | undefined>(
      NEEDED_ROLES,
      targets,
    );
    if (roles !== undefined && !roles.includes(caller.role)) throw new Problem('forbidden');
    request.caller = caller;
    return true;
  }
}
