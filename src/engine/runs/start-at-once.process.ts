import type { Database } from '../database/database.js';
import { markStartsSent } from '../outbox/outbox.store.js';
import type { Logger } from '../telemetry/logger.js';
import type { ApiMeters } from '../telemetry/meters.js';
import { TemporalFault, type RunToStart, type TemporalRuns } from './temporal-runs.js';

export interface StartAtOnceParts {
  readonly database: Database;
  readonly temporal: TemporalRuns;
  readonly log: Logger;
  readonly meters: Pick<ApiMeters, 'leftToRelay'>;
  readonly monotonicMs: () => number;
}

/** So many calls keep a healthy Temporal busy; more would only wait inside it. */
const AT_ONCE = 16;
/** What waits longer than this many before it is for the relay, which takes it after its grace. */
const MOST_WAITING = 1_000;
/** A Temporal that cannot be reached is left alone for so long, in milliseconds. */
const AWAY_MS = 1_000;

/**
 * Tells Temporal of runs as soon as they are accepted, so that a booking goes on in milliseconds.
 * It only ever hurries what the outbox does anyway: what does not fit, what fails, and what a crash
 * takes with it is left to the relay, which never starts a run a second time.
 */
export class StartAtOnce {
  readonly #waiting: RunToStart[] = [];
  #running = 0;
  #awayUntilMs = Number.NEGATIVE_INFINITY;
  #sent: string[] = [];
  #marking = false;

  constructor(private readonly parts: StartAtOnceParts) {}

  /** Never throws, and answers before anything is sent. */
  start(run: RunToStart): void {
    const isAway = this.parts.monotonicMs() < this.#awayUntilMs;
    if (isAway || this.#waiting.length >= MOST_WAITING) {
      this.parts.meters.leftToRelay();
      return;
    }
    this.#waiting.push(run);
    this.#next();
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const run = this.#waiting.shift();
      if (run === undefined) return;
      this.#running += 1;
      void this.#tell(run).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  async #tell(run: RunToStart): Promise<void> {
    const { temporal, log, meters, monotonicMs } = this.parts;
    try {
      await temporal.startRun(run, 'first');
    } catch (error) {
      meters.leftToRelay();
      log.warn('a run is left to the relay to start', { run: run.run, error });
      if (error instanceof TemporalFault && error.kind === 'unavailable') {
        this.#awayUntilMs = monotonicMs() + AWAY_MS;
        for (const _ of this.#waiting.splice(0)) meters.leftToRelay();
      }
      return;
    }
    this.#sent.push(run.run);
    if (!this.#marking) void this.#mark();
  }

  /** What is started while one statement is on its way is marked together by the next. */
  async #mark(): Promise<void> {
    this.#marking = true;
    while (this.#sent.length > 0) {
      const sent = this.#sent.splice(0);
      // What stays unmarked is told once more by the relay, which is safe.
      await markStartsSent(this.parts.database, sent).catch((error: unknown) => {
        this.parts.log.warn('runs were started and are told once more', {
          count: sent.length,
          error,
        });
      });
    }
    this.#marking = false;
  }
}
