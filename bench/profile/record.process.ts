import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

// Loaded into a process before its own code (`--import record.process.js?folder=…`), and into each
// of its threads. The signal SIGWINCH, which nobody else listens to, begins a profile of all of
// them, and the next one writes it.

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '.';
const session = new Session();
const threads = new BroadcastChannel('recourse-bench-profile');
const tellThreads = threads.postMessage.bind(threads);
let recording = false;

async function turn(): Promise<void> {
  recording = !recording;
  if (recording) {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    return;
  }
  const { profile } = await session.post('Profiler.stop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${threadId}.json`), JSON.stringify(profile));
}

if (isMainThread) {
  process.on('SIGWINCH', () => {
    tellThreads('turn');
    void turn();
  });
} else {
  threads.addEventListener('message', () => void turn());
}
// Nobody is kept running by it.
threads.unref();
