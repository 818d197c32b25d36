import { homedir } from 'node:os';
import type { Config } from '../config.js';
import { ensureDataFolder, type DataFolder } from './data-folder.process.js';
import { lockFolder } from './folder-lock.process.js';
import { freePort, isPortFree } from './free-port.client.js';
import { localFolders } from './local-folders.js';
import { ensureSecrets, type LocalSecrets } from './local-secrets.process.js';
import { metricsPorts } from './part-plans.js';
import { postgresUser, type NamedUser } from './postgres-user.process.js';
import type { Environment } from './start-child.process.js';
import { endOrphans } from './started-parts.process.js';
import type { Terminal } from './terminal.process.js';

/** What a local start stands on before the first part runs. */
export interface Ground {
  readonly config: Config;
  readonly host: string;
  readonly port: number;
  readonly folder: DataFolder;
  readonly cacheFolder: string;
  readonly postgresAs: NamedUser | undefined;
  readonly secrets: LocalSecrets;
  /** Gives the data folder back. */
  release(): void;
}

export interface GroundOptions {
  readonly env: Environment;
  /** The folder of the clone, or of a team's configuration. */
  readonly installation: string;
  readonly terminal: Terminal;
  /** As `readConfig` of src/config.ts: one clear error for a wrong variable. */
  readConfig(env: Environment): Config;
}

/**
 * Takes the data folder for this start: checks the environment, makes and locks the folder, ends
 * what an earlier start left running, and looks whether the port of the API is free. When it throws
 * (in one line that says what to do) the folder is free again.
 */
export async function takeGround(options: GroundOptions): Promise<Ground> {
  const { env, terminal } = options;
  if (process.platform === 'win32') {
    throw new Error('the local start runs on Linux and macOS; on Windows use it inside WSL');
  }
  const config = options.readConfig(withPlaceholders(env));
  const uid = process.getuid?.();
  const { platform } = process;
  const folders = localFolders({
    ...{ env, uid, platform },
    home: homedir(),
    installation: options.installation,
  });
  const postgresAs = env.DATABASE_URL ? undefined : postgresUser(uid);
  const folder = ensureDataFolder(folders.data, uid, postgresAs);
  const release = lockFolder(folder.path, `http://${config.host}:${config.port}`);
  try {
    const orphans = await endOrphans(folder.path);
    if (orphans.length > 0) {
      const names = orphans.map(({ name, pid }) => `${name} (process ${pid})`).join(', ');
      terminal.line(`  ended what an earlier start had left running: ${names}`);
    }
    const port = await apiPort(config.host, config.port);
    if (config.metrics !== null) await checkMetricsPorts(config.metrics);
    return {
      ...{ config, host: config.host, port, folder, postgresAs, release },
      cacheFolder: folders.cache,
      secrets: ensureSecrets(folder.path),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * What the start will set itself is required of a part, but not of the one who calls `npm start`.
 */
function withPlaceholders(env: Environment): Environment {
  return {
    ...env,
    DATABASE_URL: env.DATABASE_URL || 'postgres://127.0.0.1/recourse',
    TEMPORAL_ADDRESS: env.TEMPORAL_ADDRESS || '127.0.0.1:7233',
    RECOURSE_ENCRYPTION_KEYS: env.RECOURSE_ENCRYPTION_KEYS || 'to-be-made',
  };
}

async function apiPort(host: string, port: number): Promise<number> {
  if (port === 0) return freePort(host);
  const free = await isPortFree(host, port).catch((error: Error) => {
    throw new Error(`HOST: nothing can listen on ${host} (${error.message})`, { cause: error });
  });
  if (free) return port;
  throw new Error(
    `port ${port} of ${host}, where the API listens, is in use: stop what listens there, or ` +
      `choose another port: PORT=${port + 1} npm start`,
  );
}

/** A part that finds its port taken would be started again and again: better to say so first. */
async function checkMetricsPorts({ host, port }: NonNullable<Config['metrics']>): Promise<void> {
  for (const [part, own] of Object.entries(metricsPorts(port))) {
    if (own > 65_535) {
      throw new Error(
        `METRICS_PORT: ${port} leaves the ${part} none: api, worker and relay take 3`,
      );
    }
    const free = await isPortFree(host, own).catch((error: Error) => {
      throw new Error(`METRICS_HOST: nothing can listen on ${host} (${error.message})`, {
        cause: error,
      });
    });
    if (free) continue;
    throw new Error(
      `METRICS_PORT: port ${own} of ${host}, for the metrics of the ${part}, is in use: stop ` +
        'what listens there, or choose another port',
    );
  }
}
