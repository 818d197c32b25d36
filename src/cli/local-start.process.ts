import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_DATABASE, postgresUrl } from '../local/embedded-postgres.process.js';
import { holderOf } from '../local/folder-lock.process.js';
import { localFolders } from '../local/local-folders.js';
import { ensureSecrets, readDemoKeys, secretsFile } from '../local/local-secrets.process.js';
import { isServerOf } from '../local/postgres-pid-file.process.js';
import { commandLineOf } from '../local/process-identity.process.js';
import type { Environment } from '../local/start-child.process.js';

/** What the local start of a folder has left in its data folder for others to use. */
export interface LocalStart {
  readonly folder: string;
  /** Of its API; `null` while it does not run. */
  readonly apiUrl: string | null;
  readonly operatorKey: string | null;
  /** Of its own Postgres; `null` while that does not run. */
  readonly databaseUrl: string | null;
}

/**
 * Looks for the local start of a folder where `recourse start` with this environment keeps its
 * data.
 */
export function findLocalStart(env: Environment, home: string): LocalStart {
  const { data } = localFolders({
    env,
    uid: process.getuid?.(),
    home: homedir(),
    platform: process.platform,
    installation: home,
  });
  return lookInto(data);
}

/** Reads what a local start has written into a data folder. Changes nothing in it. */
export function lookInto(folder: string): LocalStart {
  return {
    folder,
    apiUrl: usable(holderOf(folder)?.url),
    operatorKey: readDemoKeys(folder)?.operator ?? null,
    databaseUrl: runningPostgres(folder),
  };
}

/** A start that left its port to the system does not know it yet when it takes the folder. */
function usable(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) && new URL(url).port !== '0' ? url : null;
}

/** `postmaster.pid` says the pid in its first line and the port in its fourth. */
function runningPostgres(folder: string): string | null {
  const cluster = join(folder, 'postgres');
  if (!existsSync(secretsFile(folder))) return null;
  const [pid, , , port] = readLines(join(cluster, 'postmaster.pid'));
  if (port === undefined || !isServerOf(commandLineOf(Number(pid)), cluster)) return null;
  const { postgresPassword } = ensureSecrets(folder);
  return postgresUrl({ port: Number(port), password: postgresPassword }, LOCAL_DATABASE);
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
