import type { ChangeLog } from '../telemetry/change-log.js';

/**
 * What a turn came to. `go-on`: there may be more to do at once. `idle`: nothing is left; news or
 * the end of the pause bring the next turn. `hold`: it does not work at the moment; only the end of
 * the pause does, so that news cannot drive it against a wall.
 */
export type Turn = 'go-on' | 'idle' | 'hold';

export interface LoopSettings {
  /** The pause after a turn that does not go on, in milliseconds. */
  readonly everyMs: number;
  readonly turn: () => Promise<Turn>;
  /** Told after each turn whether it threw. */
  readonly changes: ChangeLog;
}

export interface Loop {
  /** Settled when a turn has ended without an error for the first time. */
  readonly started: Promise<void>;
  /** There are news: the next turn begins now, if the loop is idle. */
  wake(): void;
  /** Settled when the turn in hand is over; no other one begins. */
  stop(): Promise<void>;
}

/** Takes turns, one after another, until it is stopped. A turn that throws is a `hold`. */
export function startLoop({ everyMs, turn, changes }: LoopSettings): Loop {
  let stopping = false;
  let news = false;
  let endPause: (() => void) | undefined;
  let markStarted: () => void;
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });

  const takeTurn = async (): Promise<Turn> => {
    try {
      const result = await turn();
      changes.up();
      markStarted();
      return result;
    } catch (error) {
      changes.down(error);
      return 'hold';
    }
  };
  const pause = async (wakeable: boolean): Promise<void> => {
    if (stopping || (wakeable && news)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      endPause = () => {
        if (!wakeable && !stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    endPause = undefined;
  };
  const run = async (): Promise<void> => {
    while (!stopping) {
      news = false;
      const result = await takeTurn();
      if (result !== 'go-on') await pause(result === 'idle');
    }
  };

  const running = run();
  return {
    started,
    wake() {
      news = true;
      endPause?.();
    },
    stop() {
      stopping = true;
      endPause?.();
      return running;
    },
  };
}
