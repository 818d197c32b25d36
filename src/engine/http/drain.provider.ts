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
 * and again; at last also those of clients that do not end their request. Without it closing takes
 * as long as the most patient client (fastify#5524).
 */
@Injectable()
export class DrainProvider implements BeforeApplicationShutdown, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #last: NodeJS.Timeout | undefined;

  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  beforeApplicationShutdown(): void {
    this.engine.door.closing();
    this.engine.news.close();
    const { door } = this.engine;
    const { server } = door.adapter.getInstance();
    this.#timer = setInterval(() => server.closeIdleConnections(), EVERY_MS);
    // Node no longer looks for slow clients while it closes: half a request would hold it open.
    this.#last = setTimeout(() => server.closeAllConnections(), door.patience.headersMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#last);
  }
}
