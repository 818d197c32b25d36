import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Problem } from '../http/problem.js';
import { findCaller, type Caller } from './accounts.store.js';
import { bearerKey, type Role } from './api-key.js';
import { NEEDED_ROLES, OPEN } from './caller.decorator.js';

/**
 * Lets a request in by its API key. Throws Problem: unauthenticated, the same for no key, a wrong
 * one and a revoked one; forbidden for the wrong role.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** A crowd with one key asks once, and needs one connection. */
  readonly #asking = new Map<string, Promise<Caller | null>>();

  constructor(
    @Inject(ENGINE) private readonly engine: EngineParts,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(OPEN, targets) === true) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = bearerKey(request.headers.authorization);
    const caller = key === null ? null : await this.#find(key);
    if (caller === null) {
      throw new Problem('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    const roles = this.reflector.getAllAndOverride<readonly Role[] | undefined>(
      NEEDED_ROLES,
      targets,
    );
    if (roles !== undefined && !roles.includes(caller.role)) throw new Problem('forbidden');
    request.caller = caller;
    return true;
  }

  #find(key: string): Promise<Caller | null> {
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking;
    const asked = findCaller(this.engine.database, key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asked);
    return asked;
  }
}
