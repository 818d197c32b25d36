import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Answer } from './answer.js';

/** Sends an Answer with its own status and headers, and its body byte for byte. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!(answer instanceof Answer)) return answer;
        reply.code(answer.status).header('content-type', 'application/json; charset=utf-8');
        reply.headers(answer.headers);
        return answer.body;
      }),
    );
  }
}
