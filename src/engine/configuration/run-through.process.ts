import { ConfigurationInvalid } from './configuration-invalid.js';

/** Far longer than a team's code takes to be imported, also from a slow disk. */
const LIMIT_MS = 30_000;

/**
 * Awaits code of a team, in a process that has nothing else to do yet, whatever that code does.
 * Where it ends the process, a line that begins with the path of its file is the last word, and the
 * exit code is 1.
 *
 * @throws ConfigurationInvalid when it never ends: at once where nothing is left that could end it,
 * else after `limitMs`. What the code throws is thrown as it is, also from a timer of its own.
 */
export async function runThrough<Result>(
  file: string,
  run: () => Promise<Result>,
  limitMs = LIMIT_MS,
): Promise<Result> {
  const stopTelling = tellOfExit(file);
  const stopWaiting = new AbortController();
  try {
    return await Promise.race([run(), failing(limitMs, stopWaiting.signal)]);
  } finally {
    stopWaiting.abort();
    stopTelling();
  }
}

/** The same for code that is done when it answers; only an end of the process is told. */
export function runOnce<Result>(file: string, run: () => Result): Result {
  const stopTelling = tellOfExit(file);
  try {
    return run();
  } finally {
    stopTelling();
  }
}

function failing(limitMs: number, stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = (): void => reject(new ConfigurationInvalid(NEVER_ENDS));
    // It must not be what the process lives for: that would hide that nothing else is left.
    const limit = setTimeout(giveUp, limitMs).unref();
    process.once('beforeExit', giveUp).once('uncaughtException', reject);
    stop.addEventListener('abort', () => {
      clearTimeout(limit);
      process.off('beforeExit', giveUp).off('uncaughtException', reject);
    });
  });
}

const NEVER_ENDS =
  'it waits for what does not come: look for an await that never ends, in it or in what it imports';

/** Answers what ends the telling. */
function tellOfExit(file: string): () => void {
  const tell = (code: number): void => {
    process.stderr.write(
      `${file}: it ended this process with ${code}: let it, and what it imports, throw an Error ` +
        'instead of calling process.exit\n',
    );
    process.exitCode = 1;
  };
  process.once('exit', tell);
  return () => void process.off('exit', tell);
}
