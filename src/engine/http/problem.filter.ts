import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENGINE, type EngineParts } from '../engine.tokens.js';

/** Answers every error, of Nest, of Fastify and our own, as application/problem+json. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    return this.engine.door.answerProblem(error, request, http.getResponse<FastifyReply>());
  }
}
