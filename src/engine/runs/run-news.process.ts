import type { Database } from '../database/database.js';
import { watchLengths, type JournalLengths } from '../events/journal-lengths.process.js';
import { listenTo, type Listener } from '../database/listen.store.js';
import { RUNS_CHANNEL } from '../journal/run-change.store.js';

/** Only for news that were lost with a connection. */
const POLL_WHILE_LISTENING_MS = 5_000;
const POLL_WHILE_DEAF_MS = 250;
const LISTEN_AGAIN_MS = 500;

/** Tells when a run changes: one connection a process, however many wait. */
export interface RunNews {
  /** As `JournalLengths` has it, and at once when the status of the run changes. */
  readonly untilLonger: JournalLengths['untilLonger'];
  /** Aborted when the process ends. */
  readonly closing: AbortSignal;
  /**
   * Reads the run until what was read is settled, `limitMs` have passed, `signal` is aborted or the
   * process ends, and answers what was read last. It is read anew when the run has news, and now
   * and then in case these were lost. Throws what `read` throws.
   */
  untilSettled<Read>(run: string, wait: Wait<Read>): Promise<Read>;
  /** Lets everybody who waits go on with what they have. */
  close(): void;
}

export interface Wait<Read> {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly read: () => Promise<Read>;
  readonly isSettled: (read: Read) => boolean;
}

/** Listens from now on; a connection that is lost comes back by itself. */
export function followRuns(database: Database): RunNews {
  const waiting = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  let listener: Listener | undefined;

  const lengths = watchLengths(database, closing.signal);
  const tell = (run: string) => {
    waiting.get(run)?.forEach((wake) => wake());
    lengths.tell(run);
  };
  const keepListening = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      if (listener?.alive !== true) {
        listener = await listenTo(database, RUNS_CHANNEL, tell).catch(() => undefined);
      }
      await pause(LISTEN_AGAIN_MS, closing.signal);
    }
    listener?.close();
  };
  void keepListening();

  return {
    async untilSettled(run, { limitMs, signal, read, isSettled }) {
      const until = performance.now() + limitMs;
      const ended = AbortSignal.any([signal, closing.signal]);
      for (;;) {
        // Subscribed before reading: what changes meanwhile is not missed.
        const news = subscribe(waiting, run);
        try {
          const found = await read();
          const leftMs = until - performance.now();
          if (isSettled(found) || leftMs <= 0 || ended.aborted) return found;
          const pollMs = listener?.alive === true ? POLL_WHILE_LISTENING_MS : POLL_WHILE_DEAF_MS;
          await Promise.race([news.come, pause(Math.min(leftMs, pollMs), ended)]);
        } finally {
          news.forget();
        }
      }
    },
    untilLonger: (run, seq, signal) => lengths.untilLonger(run, seq, signal),
    closing: closing.signal,
    close: () => closing.abort(),
  };
}

function subscribe(
  waiting: Map<string, Set<() => void>>,
  run: string,
): { readonly come: Promise<void>; forget(): void } {
  const wakers = waiting.get(run) ?? new Set();
  waiting.set(run, wakers);
  const ears: (() => void)[] = [];
  const come = new Promise<void>((resolve) => ears.push(resolve));
  ears.forEach((ear) => wakers.add(ear));
  return {
    come,
    forget() {
      ears.forEach((ear) => wakers.delete(ear));
      if (wakers.size === 0 && waiting.get(run) === wakers) waiting.delete(run);
    },
  };
}

/** Ends after `ms`, or at once when `signal` is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
