import { RouteConfig } from '@nestjs/platform-fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it does has to be begun by Temporal. */
    startsRun?: true;
  }
}

/**
 * For a POST that makes a new run: it is refused while what was accepted before waits too long to
 * be begun.
 */
export const StartsRun = (): MethodDecorator => RouteConfig({ startsRun: true });
