/**
 * A small process that outlives the one who started it by a moment: when that one is gone, however
 * it went (its end of the pipe closes, also on kill -9), it ends the processes it was told of. It
 * acts on a pid only while that still is the recorded process.
 *
 * Started as `node watchdog.process.js recourse-watchdog`; reads lines `{"watch":
 * <ProcessRecord>}`, `{"forget": <pid>}` and `{"remove": <folder>}` (deleted at the very end) from
 * its standard input.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endProcess } from './end-process.process.js';
import type { ProcessRecord } from './process-identity.process.js';

/**
 * As long as a worker that drains may need for a call in flight would be a surprise to wait for.
 */
const GRACE_MS = 5_000;

interface Message {
  readonly watch?: ProcessRecord;
  readonly forget?: number;
  readonly remove?: string;
}

const watched = new Map<number, ProcessRecord>();
const folders = new Set<string>();

process.title = 'recourse-watchdog';
// Whoever stops the whole terminal stops us last: only the closed pipe ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.watch !== undefined) watched.set(message.watch.pid, message.watch);
    if (message.forget !== undefined) watched.delete(message.forget);
    if (message.remove !== undefined) folders.add(message.remove);
  })
  .on('close', () => void endAll());

async function endAll(): Promise<void> {
  const ends = [...watched.values()].map((record) => endProcess(record, { graceMs: GRACE_MS }));
  await Promise.allSettled(ends);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
