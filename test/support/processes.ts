import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { describeExit, type Environment } from '../../src/local/start-child.process.js';
import { startOwned, type OwnedProcess } from './owned-process.js';
import { startPostgres, type OwnPostgres, type PostgresWishes } from './start-servers.js';

export type { OwnPostgres } from './start-servers.js';

/** The folder of what `npm run build` has built last. */
export const LAST_BUILD = resolve(import.meta.dirname, '../..');

/** The built files that the product's processes are started from. */
const PARTS = {
  api: 'dist/src/main.js',
  worker: 'dist/src/worker.js',
  relay: 'dist/src/relay.js',
  sandbox: 'dist/src/sandbox/main.js',
  cli: 'dist/src/cli.js',
} as const;

export type PartName = keyof typeof PARTS;

export interface Part extends OwnedProcess {
  /** The line with `"ready":true` that the part has printed. */
  readonly ready: Readonly<Record<string, unknown>>;
}

/** A part loads its packages and, for the worker, bundles the workflows; two cores may be busy. */
const READY_LIMIT_MS = 60_000;

/**
 * Starts a built part (`npm run build` first, or the folder of another `build`) and answers when it
 * has printed its ready line. Its environment is `env` and nothing else of ours but the PATH.
 *
 * @throws when it ends, or a minute passes, before that; with what it printed.
 */
export async function spawnPart(
  name: PartName,
  env: Environment = {},
  build = LAST_BUILD,
): Promise<Part> {
  const part = await spawnNode(name, [], env, build);
  const died = part.exit.then((exit) => describeExit(exit));
  const ready = await Promise.race([
    pollUntil(() => readyLine(part.lines()), { limitMs: READY_LIMIT_MS }),
    died,
  ]);
  if (typeof ready === 'object') return { ...part, ready };
  await part.kill9();
  throw new Error(`${name} ${ready ?? 'was not ready in a minute'}; it printed:\n${part.output()}`);
}

/** Starts a built part, or the CLI with arguments, and does not wait for anything. */
export async function spawnNode(
  name: PartName,
  args: readonly string[],
  env: Environment,
  build = LAST_BUILD,
): Promise<OwnedProcess> {
  const file = resolve(build, PARTS[name]);
  if (!existsSync(file)) throw new Error(`${file} is not there: run npm run build first`);
  return startOwned(name, {
    file: process.execPath,
    args: ['--enable-source-maps', file, ...(args.length > 0 ? args : [`recourse-${name}`])],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    cwd: build,
  });
}

/** A Postgres of one's own, which a test may kill -9 and start again on the same port and data. */
export function startOwnPostgres(wishes: PostgresWishes = {}): Promise<OwnPostgres> {
  return startPostgres(wishes);
}

function readyLine(lines: readonly string[]): Record<string, unknown> | undefined {
  for (const line of lines) {
    if (!line.startsWith('{') || !line.includes('"ready":true')) continue;
    return JSON.parse(line) as Record<string, unknown>;
  }
  return undefined;
}
