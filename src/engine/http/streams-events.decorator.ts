import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiHeader, ApiNoContentResponse } from '@nestjs/swagger';
import { Answers, Refuses } from './describe.decorator.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it answers is a stream of events, and no JSON. */
    streamsEvents?: true;
  }
}

/** For a GET that answers an EventStream: what it accepts, and how it is described. */
export const StreamsEvents = (): MethodDecorator =>
  applyDecorators(
    RouteConfig({ streamsEvents: true }),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'The `id` of the last event that came: the stream goes on right after it.',
      schema: { type: 'string', example: '7.2' },
    }),
    Answers({ examples: {}, sometimes: ['X-Accel-Buffering'] }),
    ApiNoContentResponse({ description: 'It has ended, and there is nothing after that event.' }),
    Refuses('last-event-unknown', 'rate-limited', 'overloaded'),
  );
