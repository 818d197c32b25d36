import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess } from './end-process.process.js';
import { readLogLine } from './log-line.js';
import type { ProcessRecord } from './process-identity.process.js';
import { afterDeath, NO_DEATHS, type DeathRecord } from './restart-policy.js';
import { describeExit, startChild, type Command } from './start-child.process.js';

export interface PartPlan {
  readonly name: string;
  readonly command: Command;
  readonly endWith: readonly NodeJS.Signals[];
  /** How long it may take to end by itself; then the next signal. */
  readonly graceMs: number;
  /** Done before every start. */
  readonly prepare?: () => Promise<void>;
  /** `line`: it prints one JSON line with `"ready":true`. Else asked until it answers. */
  readonly ready: 'line' | (() => Promise<unknown>);
}

export interface PartEvents {
  line(part: string, line: string, stream: 'stdout' | 'stderr'): void;
  started(record: ProcessRecord): void;
  ended(record: ProcessRecord): void;
  /** It has died and is started again after `delayMs`. */
  restarting(part: string, how: string, delayMs: number): void;
  /** It was started again, and is ready. */
  back(part: string): void;
}

/** A part died too often; `lastLines` are the last 20 it printed. */
export class PartGaveUp extends Error {
  constructor(
    readonly part: string,
    readonly lastLines: readonly string[],
    how: string,
  ) {
    super(`${part} ${how}, for the fifth time within a minute`);
  }
}

export interface SupervisedPart {
  readonly name: string;
  /** Answers when it is ready for the first time. */
  readonly ready: Promise<void>;
  /** Rejects with `PartGaveUp` when it has died too often, or with what `prepare` threw. */
  readonly failed: Promise<never>;
  /** Ends it in order, and for good. Answers when it is gone. */
  stop(): Promise<void>;
  /** Ends it at once, and for good. */
  kill(): Promise<void>;
}

const LAST_LINES = 20;

/** Enough for the kernel, and for the last word of a Postgres that was told to drop everything. */
const KILL_GRACE_MS = 3_000;

function announcement(): [heard: Promise<void>, announce: () => void] {
  let announce!: () => void;
  const heard = new Promise<void>((resolve) => (announce = resolve));
  return [heard, announce];
}

/** The first time it is ready, every later time it is back. */
function toldReady(ready: () => void, back: () => void): () => void {
  let times = 0;
  return () => {
    times += 1;
    if (times === 1) ready();
    else back();
  };
}

/**
 * Starts a part and starts it again whenever it dies, by `restart-policy.ts`, until it is stopped
 * or dies too often.
 */
export function supervisePart(plan: PartPlan, events: PartEvents): SupervisedPart {
  const stopping = new AbortController();
  const lastLines: string[] = [];
  let current: ProcessRecord | undefined;
  const [ready, becameReady] = announcement();
  const isReady = toldReady(becameReady, () => events.back(plan.name));

  const startOnce = async (): Promise<{ how: string; upMs: number }> => {
    const startedAt = performance.now();
    const { record, exit } = startChild(plan.name, plan.command, plan.endWith, (line, stream) => {
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
      events.line(plan.name, line, stream);
      if (plan.ready === 'line' && readLogLine(line, stream).ready !== undefined) isReady();
    });
    if (record !== undefined) {
      current = record;
      events.started(record);
      // A part that dies before it is ready is started again; its old question is moot.
      if (plan.ready !== 'line') void plan.ready().then(isReady, () => undefined);
    }
    const how = describeExit(await exit);
    current = undefined;
    if (record !== undefined) events.ended(record);
    return { how, upMs: performance.now() - startedAt };
  };

  const keepAlive = async (): Promise<void> => {
    let deaths: DeathRecord = NO_DEATHS;
    while (!stopping.signal.aborted) {
      await plan.prepare?.();
      if (stopping.signal.aborted) return;
      const { how, upMs } = await startOnce();
      if (stopping.signal.aborted) return;
      const next = afterDeath(deaths, { at: performance.now(), afterMs: upMs });
      if (next.kind === 'give-up') throw new PartGaveUp(plan.name, [...lastLines], how);
      deaths = next.record;
      events.restarting(plan.name, how, next.delayMs);
      await sleep(next.delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  const running = keepAlive();
  const failed = running.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  const end = async (signals: readonly NodeJS.Signals[], graceMs: number): Promise<void> => {
    stopping.abort();
    if (current !== undefined) await endProcess({ ...current, endWith: signals }, { graceMs });
    await running.catch(() => undefined);
  };
  return {
    name: plan.name,
    ready,
    failed,
    stop: () => end(plan.endWith, plan.graceMs),
    // The first signal asks; the others do not.
    kill: () => end(plan.endWith.slice(1), KILL_GRACE_MS),
  };
}
