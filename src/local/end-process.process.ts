import { pollUntil } from './poll-until.process.js';
import { isAlive, type ProcessRecord } from './process-identity.process.js';

/** How long each signal but the last may take; the last is SIGKILL and needs only the kernel. */
export interface EndLimits {
  readonly graceMs: number;
}

/**
 * Ends a recorded process and its group, and answers when it is gone. It signals only when the pid
 * still is the process that was recorded, so a pid that was given to somebody else is left alone.
 * Safe to call twice, and for a process that is gone.
 *
 * @throws when the process outlives its last signal (it hangs in the kernel, or is not ours).
 */
export async function endProcess(record: ProcessRecord, { graceMs }: EndLimits): Promise<void> {
  for (const signal of record.endWith) {
    if (!isAlive(record)) return;
    signalGroup(record.pid, signal);
    if (await pollUntil(() => !isAlive(record), { limitMs: graceMs, everyMs: 20 })) return;
  }
  if (!isAlive(record)) return;
  throw new Error(`${record.name} (process ${record.pid}) does not end: look at it by hand`);
}

/** Signals a whole process group; false when there is none (left), or it may not be signalled. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
