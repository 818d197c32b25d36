import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from './start-child.process.js';

export interface LocalMachine {
  readonly env: Environment;
  /** `undefined` where the system has no user numbers. */
  readonly uid: number | undefined;
  readonly home: string;
  readonly platform: string;
  /** The folder of the clone, or of a team's configuration: each has data of its own. */
  readonly installation: string;
}

export interface LocalFolders {
  readonly data: string;
  /** What can be downloaded again; shared by all installations of one user. */
  readonly cache: string;
}

/**
 * Where the local start keeps its data and its downloads: `RECOURSE_DATA_DIR`, else the user's data
 * folder by the XDG rules (on macOS in ~/Library). Root's own home is closed to the user that
 * Postgres then runs as, so root's data lie below /var/tmp, which survives a restart of the
 * machine.
 */
export function localFolders(machine: LocalMachine): LocalFolders {
  const { env, home } = machine;
  const mac = machine.platform === 'darwin';
  const clone = createHash('sha256').update(machine.installation).digest('hex').slice(0, 12);
  const userData =
    absolute(env.XDG_DATA_HOME) ??
    (mac ? join(home, 'Library/Application Support') : join(home, '.local/share'));
  const userCache = absolute(env.XDG_CACHE_HOME) ?? join(home, mac ? 'Library/Caches' : '.cache');
  const standard =
    machine.uid === 0 ? join('/var/tmp/recourse-0', clone) : join(userData, 'recourse', clone);
  return { data: env.RECOURSE_DATA_DIR || standard, cache: join(userCache, 'recourse') };
}

/** The XDG rules say that a relative path is to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path : undefined;
}
