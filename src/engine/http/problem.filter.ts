import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FRONT_DOOR, FrontDoor } from './front-door.provider.js';

/** Answers every error, of Nest, of Fastify and our own, as application/problem+json. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(FRONT_DOOR) private readonly door: FrontDoor) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    return this.door.answerProblem(error, request, http.getResponse<FastifyReply>());
  }
}
