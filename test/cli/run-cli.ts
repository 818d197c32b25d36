import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = resolve(ROOT, 'dist/src/cli.js');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A verb loads its packages and asks once; two cores may be busy. It is killed after this. */
const LIMIT_MS = 60_000;

/**
 * Runs one verb of the built CLI (`npm run build` first) to its end, without a terminal. Its
 * environment is `env` and a data folder that holds nothing, so that no local start of this machine
 * is found.
 */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not there: run npm run build first`);
  const options = {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, RECOURSE_DATA_DIR: '/nowhere', ...env },
    timeout: LIMIT_MS,
  };
  return new Promise((answer, reject) => {
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') answer({ code, stdout, stderr });
      else reject(new Error(`recourse ${args.join(' ')} did not end by itself`, { cause: error }));
    });
  });
}

/** The one line that a verb which failed has said. Throws when it said more, or printed data. */
export function onlyLine({ stdout, stderr }: Ended): string {
  const lines = stderr.trimEnd().split('\n');
  if (stdout !== '' || lines.length !== 1) throw new Error(`not one line:\n${stdout}\n${stderr}`);
  return lines[0] ?? '';
}
