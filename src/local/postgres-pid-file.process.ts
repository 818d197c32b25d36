import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from './end-process.process.js';
import { END_POSTGRES_WITH } from './embedded-postgres.process.js';
import { commandLineOf, identityOf } from './process-identity.process.js';

export type PidFileFinding =
  | { readonly kind: 'none' }
  /** The pid is gone or belongs to another program: the file was removed. */
  | { readonly kind: 'stale'; readonly pid: number }
  /** A server of this very folder was still running, and was ended. */
  | { readonly kind: 'ended'; readonly pid: number };

const GRACE_MS = 10_000;

/**
 * Looks at `postmaster.pid` before a start. Postgres itself believes any living process with that
 * pid, so after a restart of the machine it may refuse to start; here a pid counts only when its
 * command line names this folder. A server that is still running there is shut down.
 */
export async function clearPidFile(folder: string): Promise<PidFileFinding> {
  const path = join(folder, 'postmaster.pid');
  const pid = readPid(path);
  if (pid === undefined) return { kind: 'none' };
  const identity = identityOf(pid);
  if (identity !== undefined && isServerOf(commandLineOf(pid), folder)) {
    const record = { name: 'postgres', pid, identity, endWith: END_POSTGRES_WITH };
    await endProcess(record, { graceMs: GRACE_MS });
    return { kind: 'ended', pid };
  }
  rmSync(path, { force: true });
  return { kind: 'stale', pid };
}

/** Whether a command line is that of a Postgres server (not of one of its sessions) of a folder. */
export function isServerOf(commandLine: string, folder: string): boolean {
  return (
    /(^|\/)postgres(\.exe)? /.test(commandLine) && `${commandLine} `.includes(` -D ${folder} `)
  );
}

function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
