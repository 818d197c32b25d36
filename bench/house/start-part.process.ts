import { endProcess } from '../../src/local/end-process.process.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { describeExit, startChild, type Command } from '../../src/local/start-child.process.js';
import type { Watchdog } from '../../src/local/start-watchdog.process.js';

/** A process that the bench has started. */
export interface Part {
  readonly name: string;
  readonly pid: number;
  /** What it printed when it was ready; empty when it was asked instead. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Rejects when it ends by itself. */
  readonly died: Promise<never>;
  /** Ends it in order. Answers when it is gone. */
  stop(): Promise<void>;
}

export interface PartWishes {
  readonly name: string;
  readonly command: Command;
  readonly endWith?: readonly NodeJS.Signals[];
  /** Answers when it serves; left out: it prints a JSON line with `"ready":true`. */
  readonly serves?: () => Promise<unknown>;
}

const READY_LIMIT_MS = 120_000;
/** A worker may have calls to end. */
const GRACE_MS = 45_000;
const TOLD_LINES = 30;

/**
 * Starts a process that ends with this one, however that goes, and answers when it is ready.
 * Throws with what it printed when it ends before that.
 */
export async function startPart(wishes: PartWishes, watchdog: Watchdog): Promise<Part> {
  const { name, command, endWith = ['SIGTERM', 'SIGKILL'], serves } = wishes;
  const lines: string[] = [];
  const { record, exit } = startChild(name, command, endWith, (line) => lines.push(line));
  if (record === undefined) throw new Error(`${name} ${describeExit(await exit)}`);
  watchdog.watch(record);
  const stopping = new AbortController();
  const died = exit.then((how): Promise<never> => {
    if (stopping.signal.aborted) return new Promise(() => undefined);
    const said = lines.slice(-TOLD_LINES).join('\n');
    throw new Error(`${name} ${describeExit(how)} by itself; it printed:\n${said}`);
  });
  died.catch(() => undefined);
  const readyLine = () => pollUntil(() => readyIn(lines), { limitMs: READY_LIMIT_MS });
  const ready = await Promise.race([serves?.().then(() => ({})) ?? readyLine(), died]);
  if (ready === undefined) throw new Error(`${name} was not ready in two minutes`);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await endProcess(record, { graceMs: GRACE_MS });
    watchdog.forget(record);
  };
  return { name, pid: record.pid, ready, died, stop };
}

function readyIn(lines: readonly string[]): Record<string, unknown> | undefined {
  const line = lines.find((text) => text.startsWith('{') && text.includes('"ready":true'));
  return line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>);
}
