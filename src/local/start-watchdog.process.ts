import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { ProcessRecord } from './process-identity.process.js';

/** What must not outlive this process, kept by a watchdog process (`watchdog.process.ts`). */
export interface Watchdog {
  watch(record: ProcessRecord): void;
  forget(record: ProcessRecord): void;
  /** A folder that is deleted after all processes have ended. */
  removeAtEnd(folder: string): void;
  /** Lets the watchdog go. Answers when it has ended what it still watched, and is gone itself. */
  close(): Promise<void>;
}

/**
 * Starts a watchdog: after this process is gone, by whatever way, the watched processes are ended.
 * `script` is the built `watchdog.process.js`.
 */
export function startWatchdog(script: string): Watchdog {
  const child = spawn(process.execPath, [script, 'recourse-watchdog'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // A watchdog that was killed is missed only if we are killed too; then the next start cleans up.
  child.stdin.on('error', () => undefined);
  // Neither the process nor its pipe keeps this process running when all else is done.
  child.unref();
  (child.stdin as unknown as Socket).unref();
  const tell = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  return {
    watch: (record) => void tell({ watch: record }),
    forget: (record) => void tell({ forget: record.pid }),
    removeAtEnd: (folder) => void tell({ remove: folder }),
    close: async () => {
      // Who waits for its end must not end before.
      child.ref();
      child.stdin.end();
      await gone;
    },
  };
}
