import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, signalGroup } from '../../src/local/end-process.process.js';
import { startChild, type Command, type Exit } from '../../src/local/start-child.process.js';
import { startWatchdog, type Watchdog } from '../../src/local/start-watchdog.process.js';
import { watchdogScript } from './watchdog-script.js';

/** One watchdog for each process of the test runner: it ends what a crash would leave behind. */
let watchdog: Watchdog | undefined;

export function ownWatchdog(): Watchdog {
  return (watchdog ??= startWatchdog(watchdogScript()));
}

export interface OwnedProcess {
  readonly pid: number;
  readonly exit: Promise<Exit>;
  /** All it has printed so far, both streams, in order. */
  output(): string;
  lines(): readonly string[];
  /** Ends it politely, and with its last signal after `graceMs`. Answers when it is gone. */
  stop(graceMs?: number): Promise<void>;
  /** SIGKILL to its whole group. Answers when it is gone. */
  kill9(): Promise<void>;
  /** Sends a signal to its group, and does not wait. */
  signal(signal: NodeJS.Signals): void;
}

/**
 * Starts a process that ends with this test run, however that goes.
 * @throws when the program cannot be started at all.
 */
export async function startOwned(
  name: string,
  command: Command,
  endWith: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGKILL'],
): Promise<OwnedProcess> {
  const lines: string[] = [];
  const { record, exit } = startChild(name, command, endWith, (line) => lines.push(line));
  if (record === undefined) throw new Error(`${name}: ${(await exit).error}`);
  ownWatchdog().watch(record);
  const end = async (signals: readonly NodeJS.Signals[], graceMs: number) => {
    await endProcess({ ...record, endWith: signals }, { graceMs });
    await exit;
    ownWatchdog().forget(record);
  };
  return {
    pid: record.pid,
    exit,
    output: () => lines.join('\n'),
    lines: () => lines,
    stop: (graceMs = 20_000) => end(endWith, graceMs),
    kill9: () => end(['SIGKILL'], 5_000),
    signal: (signal) => void signalGroup(record.pid, signal),
  };
}

/** A new folder that is deleted when this test run has ended; other users may pass through it. */
export function ownFolder(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `recourse-test-${what}-`));
  chmodSync(folder, 0o711);
  ownWatchdog().removeAtEnd(folder);
  return folder;
}
