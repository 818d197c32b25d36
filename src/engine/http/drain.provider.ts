import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ENGINE, type EngineParts } from '../engine.tokens.js';

/** Short beside a deploy, long beside a request. */
const EVERY_MS = 100;

/**
 * Lets the server close in a moment although clients keep their connections: answers that are held
 * go out as they are, the requests in flight end, and connections that are idle are closed again
 * and again. Without it closing takes as long as the most patient client (fastify#5524).
 */
@Injectable()
export class DrainProvider implements BeforeApplicationShutdown, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;

  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  beforeApplicationShutdown(): void {
    this.engine.news.close();
    const { server } = this.engine.door.adapter.getInstance();
    this.#timer = setInterval(() => server.closeIdleConnections(), EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }
}
