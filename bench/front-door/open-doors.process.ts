import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { freePort } from '../../src/local/free-port.client.js';
import type { Environment } from '../../src/local/start-child.process.js';
import { startWatchdog } from '../../src/local/start-watchdog.process.js';
import { PROVIDERS } from '../by-hand/queues.js';
import { startPostgres } from '../house/servers.process.js';
import { startPart, type Part, type PartWishes } from '../house/start-part.process.js';

/** A process that answers HTTP. */
export interface Server {
  readonly url: string;
  readonly pid: number;
}

/** Two API processes and the bare route on one Postgres. */
export interface Doors {
  readonly key: string;
  readonly bare: Server;
  readonly api: Server;
  readonly otherApi: Server;
  readonly databaseUrl: string;
  readonly postgresPid: number;
  close(): Promise<void>;
}

export interface DoorsWishes {
  readonly built: string;
  readonly checkout: string;
  readonly env: Environment;
}

/**
 * Starts them, and no Temporal, no worker and no relay: what is accepted is kept for them, and what
 * they cost would be measured with it otherwise.
 */
export async function openDoors({ built, checkout, env }: DoorsWishes): Promise<Doors> {
  const watchdog = startWatchdog(join(built, 'src/local/watchdog.process.js'));
  const folder = mkdtempSync(join(tmpdir(), 'recourse-bench-'));
  chmodSync(folder, 0o711);
  watchdog.removeAtEnd(folder);
  const parts: Part[] = [];
  const keep = async (wishes: PartWishes): Promise<Part> => {
    const part = await startPart(wishes, watchdog);
    parts.push(part);
    return part;
  };
  const start = (name: string, file: string, own: Environment, ...args: string[]) =>
    keep({
      name,
      command: {
        file: process.execPath,
        args: ['--enable-source-maps', join(built, file), ...args],
        env: { PATH: env.PATH, HOME: env.HOME, ...own },
        cwd: checkout,
      },
    });
  const databaseUrl = await startPostgres({ folder, checkout, env, countStatements: false, keep });
  await runMigrations(databaseUrl);
  const { customer } = await ensureDemoKeys(databaseUrl);
  const own = await apiEnvironment(databaseUrl);
  const [api, otherApi, bare] = await Promise.all([
    start('api', 'src/main.js', own),
    start('other api', 'src/main.js', own),
    start('bare', 'bench/front-door/bare.process.js', {}, databaseUrl),
  ]);
  const [postgres] = parts;
  if (postgres === undefined) throw new Error('Postgres was not started');
  return {
    key: customer,
    databaseUrl,
    bare: serverOf(bare),
    api: serverOf(api),
    otherApi: serverOf(otherApi),
    postgresPid: postgres.pid,
    async close() {
      for (const part of parts.toReversed()) await part.stop();
      await watchdog.close();
    },
  };
}

const serverOf = ({ ready, pid }: Part): Server => ({ url: String(ready.url), pid });

/** As in production, with a Temporal that nobody reaches. */
async function apiEnvironment(databaseUrl: string): Promise<Environment> {
  const nowhere = `127.0.0.1:${await freePort()}`;
  const providers = PROVIDERS.map((name) => [`${name.toUpperCase()}_URL`, `http://${nowhere}`]);
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: nowhere,
    TEMPORAL_NAMESPACE: 'default',
    RECOURSE_ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    ...(Object.fromEntries(providers) as Record<string, string>),
  };
}
