import { progressBar, progressText, type Progress } from './progress.js';

/** What the local start says to the person in front of it. */
export interface Terminal {
  readonly line: (text: string) => void;
  /** Does some work under a name, and says how long it took. On a terminal the seconds run. */
  readonly stage: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Shows a download: a bar on a terminal, else a line now and then. */
  readonly download: (what: string) => Progress;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const TICK_MS = 1_000;
/** Where no line can be rewritten, a sign of life now and then is enough. */
const SIGN_OF_LIFE_MS = 5_000;

/** Writes to a terminal, or to a file or pipe that nobody rewrites lines in. */
export function openTerminal(output: Output): Terminal {
  const tty = output.isTTY === true;
  let transient = false;
  const line = (text: string): void => {
    output.write(`${transient ? '\r\u001B[K' : ''}${text}\n`);
    transient = false;
  };
  const rewrite = (text: string): void => {
    output.write(`\r\u001B[K${text}`);
    transient = true;
  };

  // Several stages may run at a time; on a terminal they share the one line that is rewritten.
  const running = new Map<string, () => string>();
  const showRunning = (): void => {
    const [longest] = running.values();
    if (longest !== undefined) rewrite(`  ${[...running.keys()].join(', ')} … ${longest()} s`);
  };
  const stage = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);
    running.set(name, seconds);
    const tick = tty
      ? setInterval(showRunning, TICK_MS)
      : setInterval(() => line(`  ${name} … ${seconds()} s`), SIGN_OF_LIFE_MS);
    try {
      const result = await work();
      line(`  ${name}: ${seconds()} s`);
      return result;
    } finally {
      clearInterval(tick);
      running.delete(name);
    }
  };

  const download = (what: string): Progress => {
    line(`  bringing ${what}`);
    let shownAt = performance.now();
    return (downloaded) => {
      const now = performance.now();
      if (now - shownAt < (tty ? 0 : SIGN_OF_LIFE_MS)) return;
      shownAt = now;
      if (tty) rewrite(`  ${progressBar(downloaded)} ${progressText(downloaded)}`);
      else line(`    ${progressText(downloaded)}`);
    };
  };
  return { line, stage, download };
}
