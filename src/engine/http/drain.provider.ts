import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { RUN_NEWS } from '../engine.tokens.js';
import type { RunNews } from '../runs/run-news.process.js';
import { FRONT_DOOR, FrontDoor } from './front-door.provider.js';

/** Short beside a deploy, long beside a request. */
const EVERY_MS = 100;

/**
 * Lets the server close in a moment although clients keep their connections: answers that are held
 * go out as they are, the requests in flight end, and idle connections are closed again and again. Without it closing takes as long as
 * the most patient client (fastify#5524).
 */
@Injectable()
export class DrainProvider implements BeforeApplicationShutdown, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(FRONT_DOOR) private readonly door: FrontDoor,
    @Inject(RUN_NEWS) private readonly news: RunNews,
  ) {}

  beforeApplicationShutdown(): void {
    this.news.close();
    const server = this.door.adapter.getHttpServer() as { closeIdleConnections(): void };
    this.#timer = setInterval(() => server.closeIdleConnections(), EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }
}
