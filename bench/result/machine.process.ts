import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type as system } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where and with what a run was made. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_gib: number;
  readonly kernel: string;
  readonly node: string;
  readonly temporal_sdk: string;
  readonly temporal_server: string;
  readonly postgres: string;
  /** Null outside of a clone; `+` after it: with changes that are not committed. */
  readonly commit: string | null;
}

const GIB = 1_024 ** 3;

/** Names the machine and the versions of what ran on it. */
export function nameMachine(
  checkout: string,
  servers: { readonly temporal: string; readonly postgres: string },
): Machine {
  const all = cpus();
  const sdk = join(checkout, 'node_modules/@temporalio/worker/package.json');
  return {
    cpu: all[0]?.model.trim() || 'unknown',
    cores: all.length,
    memory_gib: Math.round(totalmem() / GIB),
    kernel: `${system()} ${release()}`,
    node: process.version,
    temporal_sdk: (JSON.parse(readFileSync(sdk, 'utf8')) as { version: string }).version,
    temporal_server: servers.temporal,
    postgres: servers.postgres,
    commit: commitOf(checkout),
  };
}

function commitOf(checkout: string): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: checkout, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain') === '' ? commit : `${commit}+`;
  } catch {
    return null;
  }
}
