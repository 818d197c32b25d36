import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { identityOf, type ProcessRecord } from './process-identity.process.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The user a command runs as, when it must not be the present one. */
export interface PosixUser {
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly cwd?: string;
  readonly user?: PosixUser | undefined;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not even be started. */
  readonly error?: string;
}

export type LineListener = (line: string, stream: 'stdout' | 'stderr') => void;

export interface Child {
  /** `undefined` when the command could not be started; `exit` then says why. */
  readonly record: ProcessRecord | undefined;
  readonly exit: Promise<Exit>;
}

/**
 * The rest of the output may come after the exit; grandchildren that hold the pipe are not waited
 * for.
 */
const LAST_OUTPUT_MS = 300;

/**
 * Starts a command in a process group of its own (a Ctrl-C in the terminal reaches only the one
 * who started it) and hands over what it prints, line by line. Never throws: a command that cannot
 * be started ends at once, with the reason in `exit`.
 */
export function startChild(
  name: string,
  command: Command,
  endWith: readonly NodeJS.Signals[],
  onLine: LineListener,
): Child {
  const child = spawn(command.file, [...command.args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...command.env },
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...command.user,
  });
  listen(child.stdout, (line) => onLine(line, 'stdout'));
  listen(child.stderr, (line) => onLine(line, 'stderr'));
  const { pid } = child;
  const identity = pid === undefined ? undefined : identityOf(pid);
  return {
    record: pid === undefined ? undefined : { name, pid, identity: identity ?? 'gone', endWith },
    exit: exitOf(child),
  };
}

function listen(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream === null) return;
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error: error.message }));
    child.once('exit', (code, signal) => {
      const done = () => resolve({ code, signal });
      child.once('close', done);
      setTimeout(done, LAST_OUTPUT_MS);
    });
  });
}

/** Says in words how a process ended. */
export function describeExit(exit: Exit): string {
  if (exit.error !== undefined) return `could not be started: ${exit.error}`;
  return exit.signal === null ? `ended with code ${exit.code}` : `was ended by ${exit.signal}`;
}
