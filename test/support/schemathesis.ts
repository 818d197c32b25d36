import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startOwned } from './owned-process.js';

const FOLDER = resolve('.ci/fuzz');
const REQUIREMENTS = join(FOLDER, 'requirements.txt');
/** Longer than twenty megabytes take on a slow line. */
const PIP_LIMIT_MS = 600_000;
const OLDEST = [3, 11] as const;

const run = promisify(execFile);

/** Why it cannot be run here; null when it can. For the skip of a test. */
export async function whyNoFuzzer(): Promise<string | null> {
  const asked = 'import sys, ensurepip, venv; print(*sys.version_info[:2])';
  const said = await run('python3', ['-c', asked]).catch((error: Error) => error);
  if (said instanceof Error) {
    const missing = /No module named/.test(said.message);
    return missing
      ? 'python3 has no venv: install it (Debian: apt install python3-venv)'
      : 'there is no python3: install Python 3.11 or newer with its venv module';
  }
  const [major = 0, minor = 0] = said.stdout.split(' ').map(Number);
  const newEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return newEnough ? null : `python3 is ${major}.${minor}, and schemathesis needs 3.11 or newer`;
}

/**
 * The program, with exactly the packages whose checksums are pinned. They lie in the cache folder
 * of the clone; another list of them is another folder.
 */
export async function bringFuzzer(): Promise<string> {
  const mark = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16);
  const folder = resolve('node_modules/.cache/schemathesis', mark);
  const python = join(folder, 'bin/python');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder], { timeout: PIP_LIMIT_MS });
  const args = [
    ...['-m', 'pip', 'install', '--require-hashes', '--only-binary=:all:', '--no-deps'],
    ...['--requirement', REQUIREMENTS, '--disable-pip-version-check', '--no-input', '--quiet'],
  ];
  await run(python, args, { timeout: PIP_LIMIT_MS });
  writeFileSync(complete, '');
  return python;
}

export interface FuzzWishes {
  readonly url: string;
  /** The API key that every request has which is not to be refused for want of one. */
  readonly apiKey: string;
  /** A word that this run marks its own keys and references with. */
  readonly mark: string;
  /** Where a line of JSON is written for each answer. */
  readonly answers: string;
  /** By operation the id with which it does what it is for, at any time. */
  readonly sure: Readonly<Record<string, string>>;
  /** Ids of bookings and cases that wait for a person, and are to go on waiting. */
  readonly kept: readonly string[];
  readonly args: readonly string[];
}

/** Tries an API by its own description; answers the code it ended with, and all it printed. */
export async function fuzz(
  python: string,
  { url, apiKey, mark, answers, sure, kept, args }: FuzzWishes,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const program = await startOwned('schemathesis', {
    file: python,
    args: [
      ...['-m', 'schemathesis.cli', '--config-file', join(FOLDER, 'schemathesis.toml')],
      ...['run', `${url}/openapi.json`, '--header', `Authorization: Bearer ${apiKey}`, ...args],
    ],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PYTHONDONTWRITEBYTECODE: '1',
      FUZZ_ANSWERS: answers,
      FUZZ_RUN: mark,
      FUZZ_SURE: JSON.stringify(sure),
      FUZZ_KEPT: JSON.stringify(kept),
    },
    cwd: FOLDER,
  });
  const exit = await program.exit;
  return { code: exit.code, printed: program.output() };
}
