import type { DataFolder } from './data-folder.process.js';
import { openLogFile, type LogFile } from './log-file.process.js';
import { readLogLine, type LogLevel } from './log-line.js';
import type { StartedParts } from './started-parts.process.js';
import { supervisePart, type PartEvents } from './supervise-part.process.js';
import type { PartPlan, SupervisedPart } from './supervise-part.process.js';
import type { Terminal } from './terminal.process.js';
import type { Watchdog } from './start-watchdog.process.js';

/** Requests first, then the work, then what the work stands on. */
const STOP_ORDER = ['api', 'relay', 'worker', 'sandbox', 'temporal', 'postgres'];

/** Servers of others warn of much that is no news here; it is in their log files. */
const QUIET_PARTS = new Set(['temporal', 'postgres']);

export interface HouseOptions {
  readonly folder: DataFolder;
  readonly started: StartedParts;
  readonly watchdog: Watchdog;
  readonly terminal: Terminal;
  /** True: all that the parts print is shown, not only warnings and errors. */
  readonly verbose: boolean;
}

/** All parts of one local start. */
export interface House {
  /** Starts a part and answers when it is ready. @throws when it gives up or the house closes. */
  launch(plan: PartPlan): Promise<void>;
  /** Rejects when a part has died too often. */
  readonly failed: Promise<never>;
  /** Ends all parts, in order; nothing is launched any more. */
  stopAll(): Promise<void>;
  /** Ends all parts at once. */
  killAll(): Promise<void>;
}

/** Thrown by `launch` when the start is stopped before it was complete. */
export class HouseClosed extends Error {
  constructor() {
    super('the start was stopped');
  }
}

export function openHouse(options: HouseOptions): House {
  const parts: SupervisedPart[] = [];
  const logs = new Map<string, LogFile>();
  let closing = false;
  let fail!: (error: Error) => void;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  failed.catch(() => undefined);
  let close!: () => void;
  const closed = new Promise<never>(
    (_resolve, reject) => (close = () => reject(new HouseClosed())),
  );
  closed.catch(() => undefined);

  const events = eventsFor(options, logs, () => closing);
  const launch = async (plan: PartPlan): Promise<void> => {
    if (closing) throw new HouseClosed();
    const part = supervisePart(plan, events);
    parts.push(part);
    part.failed.catch(fail);
    await Promise.race([part.ready, part.failed, closed]);
  };
  const beginToClose = () => {
    closing = true;
    close();
  };
  return {
    launch,
    failed,
    stopAll: async () => {
      beginToClose();
      for (const part of inStopOrder(parts)) await part.stop();
      for (const log of logs.values()) log.close();
      logs.clear();
    },
    killAll: async () => {
      beginToClose();
      await Promise.all(parts.map((part) => part.kill()));
    },
  };
}

function inStopOrder(parts: readonly SupervisedPart[]): SupervisedPart[] {
  return parts.toSorted((a, b) => STOP_ORDER.indexOf(a.name) - STOP_ORDER.indexOf(b.name));
}

function eventsFor(
  { folder, started, watchdog, terminal, verbose }: HouseOptions,
  logs: Map<string, LogFile>,
  isClosing: () => boolean,
): PartEvents {
  const logOf = (part: string): LogFile => {
    const log = logs.get(part) ?? openLogFile(folder.logs, part);
    logs.set(part, log);
    return log;
  };
  const isShown = (part: string, level: LogLevel): boolean => {
    if (verbose || level === 'error') return true;
    return level === 'warn' && !QUIET_PARTS.has(part);
  };
  return {
    line: (part, line, stream) => {
      if (!isClosing() || logs.has(part)) logOf(part).write(line);
      const { level, text, ready } = readLogLine(line, stream);
      // While all of it goes down, each part loses the others: that is no news.
      if (isClosing() || ready !== undefined || !isShown(part, level)) return;
      terminal.line(`[${part}] ${text}`);
    },
    started: (record) => {
      watchdog.watch(record);
      started.add(record);
    },
    ended: (record) => {
      watchdog.forget(record);
      started.remove(record);
    },
    restarting: (part, how, delayMs) =>
      terminal.line(`${part} ${how}; it is started again in ${delayMs / 1_000} s`),
    back: (part) => terminal.line(`${part} is back`),
  };
}
