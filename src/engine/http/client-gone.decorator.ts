import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** A signal that is aborted when nobody waits for the answer any more. */
export const ClientGone = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const gone = new AbortController();
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
});
