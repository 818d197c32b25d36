import { Readable } from 'node:stream';
import {
  Inject,
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { callerOf } from '../accounts/caller.decorator.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Answer } from './answer.js';
import { hasAlready } from './entity-tag.js';
import { EventStream } from './event-stream.js';
import { streamBytes } from './event-stream.process.js';

const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that buffers would hold the events back.
  'x-accel-buffering': 'no',
};

/**
 * Sends an Answer with its own status and headers, and its body byte for byte, or 304 to a reader
 * who has it; an EventStream as it comes, as long as the key of its reader is valid, and its
 * headers alone for a HEAD.
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (answer instanceof EventStream) {
          const isHead = reply.request.method === 'HEAD';
          const bytes = isHead ? Readable.from([]) : this.#stream(answer, reply.request);
          reply.headers(EVENT_HEADERS);
          return new StreamableFile(bytes);
        }
        if (!(answer instanceof Answer)) return answer;
        if (isKnown(answer, reply)) {
          reply.code(304).headers(answer.headers);
          return undefined;
        }
        reply.code(answer.status);
        if (answer.body.length > 0) reply.header('content-type', 'application/json; charset=utf-8');
        reply.headers(answer.headers);
        return answer.body;
      }),
    );
  }

  #stream(answer: EventStream, request: FastifyRequest): Readable {
    const stay = this.engine.keys.stay(callerOf(request).keyId);
    try {
      const bytes = streamBytes(answer, { ended: stay.ended });
      return bytes.once('close', () => stay.leave());
    } catch (error) {
      stay.leave();
      throw error;
    }
  }
}

/** Of a write the header would have another meaning: only who reads is told. */
function isKnown({ status, headers: { ETag } }: Answer, { request }: FastifyReply): boolean {
  if (ETag === undefined || status !== 200 || !READS.has(request.method)) return false;
  return hasAlready(request.headers['if-none-match'], ETag);
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
