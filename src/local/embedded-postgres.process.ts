import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDatabase, postgresProblem } from './local-postgres.store.js';
import { pollUntil } from './poll-until.process.js';
import type { PostgresBinaries } from './postgres-binaries.process.js';
import type { NamedUser } from './postgres-user.process.js';
import type { Command } from './start-child.process.js';

export interface PostgresPlan {
  readonly binaries: PostgresBinaries;
  /** The cluster's own folder (`PGDATA`); its parent must exist and be reachable by `user`. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  readonly user: NamedUser | undefined;
  /** False for tests: nothing waits for the disk, and a crash of the *machine* may lose data. */
  readonly durable: boolean;
  readonly maxConnections: number;
}

/** The cluster's own superuser. It is of this folder alone and reachable only from this machine. */
const SUPERUSER = 'recourse';
/** The database in it that a local start uses. */
export const LOCAL_DATABASE = 'recourse';

/**
 * Fast shutdown; then immediate, which recovers at the next start; then what nothing can refuse.
 */
export const END_POSTGRES_WITH = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

/** A cluster that recovers a long log may need a while; one that starts clean takes 40 ms. */
const READY_LIMIT_MS = 120_000;

export function postgresUrl(
  plan: Pick<PostgresPlan, 'port' | 'password'>,
  database: string,
): string {
  return `postgres://${SUPERUSER}:${plan.password}@127.0.0.1:${plan.port}/${database}`;
}

/**
 * Makes the cluster's folder unless it is there. Safe to run again, also after a crash half-way:
 * the folder is made under another name and renamed when it is whole.
 *
 * @throws when `initdb` fails, with what it said, or when the folder is of another major version.
 */
export async function ensureCluster(plan: PostgresPlan, signal?: AbortSignal): Promise<void> {
  const versionFile = join(plan.folder, 'PG_VERSION');
  if (existsSync(versionFile)) {
    const found = readFileSync(versionFile, 'utf8').trim();
    if (found === plan.binaries.major) return;
    throw new Error(
      `the data in ${plan.folder} are of Postgres ${found}, this start brings ` +
        `${plan.binaries.major}: move that folder away, or set RECOURSE_DATA_DIR to another one`,
    );
  }
  const unfinished = `${plan.folder}.unfinished`;
  const passwordFile = `${plan.folder}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, plan.password, { mode: 0o600 });
  for (const path of [unfinished, passwordFile]) {
    if (plan.user !== undefined) chownSync(path, plan.user.uid, plan.user.gid);
  }
  try {
    await runInitdb(plan, unfinished, passwordFile, signal);
    renameSync(unfinished, plan.folder);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function runInitdb(
  plan: PostgresPlan,
  folder: string,
  passwordFile: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const args = [
    ...['-D', folder, '-U', SUPERUSER, '--pwfile', passwordFile, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
    ...(plan.durable ? [] : ['--no-sync']),
  ];
  const ids = plan.user === undefined ? {} : { uid: plan.user.uid, gid: plan.user.gid };
  const child = spawn(plan.binaries.initdb, args, {
    cwd: folder,
    env: postgresEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    ...ids,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`initdb cannot be run: ${error.message}`)));
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`initdb could not make ${folder}: ${said.trim()}`)),
    );
  });
}

/** Nothing of the caller's environment: a PGDATA or PGPORT of theirs is not meant for us. */
const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The server in the foreground: on 127.0.0.1 only, and without a socket in the file system. */
export function postgresCommand(plan: PostgresPlan): Command {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'log_min_messages=warning',
    'timezone=UTC',
    `max_connections=${plan.maxConnections}`,
    ...(plan.durable ? [] : ['fsync=off', 'full_page_writes=off', 'autovacuum=off']),
  ];
  return {
    file: plan.binaries.postgres,
    args: ['-D', plan.folder, '-p', String(plan.port), ...settings.flatMap((s) => ['-c', s])],
    env: postgresEnvironment,
    cwd: plan.folder,
    user: plan.user,
  };
}

/**
 * Waits until the server answers, and makes the database if it is missing.
 * @throws when the server has not answered in two minutes, or when the signal is aborted.
 */
export async function waitForPostgres(
  plan: PostgresPlan,
  database: string,
  signal?: AbortSignal,
): Promise<string> {
  const adminUrl = postgresUrl(plan, 'postgres');
  const ready = await pollUntil(async () => (await postgresProblem(adminUrl)) === undefined, {
    limitMs: READY_LIMIT_MS,
    ...(signal && { signal }),
  });
  if (!ready) throw new Error(`Postgres on port ${plan.port} did not answer in two minutes`);
  await ensureDatabase(adminUrl, database);
  return postgresUrl(plan, database);
}
