import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Client } from '@temporalio/client';
import { ensureDemoKeys, type DemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { freshDatabase } from './postgres.js';
import { spawnPart, type Part, type PartName } from './processes.js';
import { startSandbox, type TestSandbox } from './sandbox.js';
import { freshNamespace } from './temporal.js';

/** The whole product, as processes of its own on servers of its own or shared ones. */
export interface House {
  readonly url: string;
  readonly keys: DemoKeys;
  readonly sandbox: TestSandbox;
  readonly db: pg.Pool;
  readonly temporal: {
    readonly client: Client;
    readonly address: string;
    readonly namespace: string;
  };
  /** What its processes are started with. */
  readonly env: Readonly<Record<string, string>>;
  part(name: HousePart): Part;
  /** Starts a part anew, after it was killed or stopped, from the house's build or another one. */
  start(name: HousePart, build?: string): Promise<Part>;
  close(): Promise<void>;
}

export type HousePart = Extract<PartName, 'api' | 'worker' | 'relay'>;

export interface HouseWishes {
  /** Use these servers instead of the shared ones. */
  readonly databaseUrl?: string;
  readonly temporalAddress?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of the build that its parts are started from. @default the last one */
  readonly build?: string;
  /** That of the API alone. @default that of the others */
  readonly apiBuild?: string;
}

/** Every time but the heartbeat is short, so that the suite is. */
const SHORT_TIMES = {
  RECOURSE_CALL_TIMEOUT_MS: '2000',
  RECOURSE_SETTLES_MS: '500',
  RECOURSE_LOOK_AFTER_MS: '2000',
  RECOURSE_START_GRACE_MS: '500',
};

/** Starts database, namespace, sandbox, API, worker and relay; `close` ends all of them. */
export async function startHouse(wishes: HouseWishes = {}): Promise<House> {
  const database = wishes.databaseUrl === undefined ? await freshDatabase() : null;
  const databaseUrl = wishes.databaseUrl ?? database?.url ?? '';
  const namespace = await freshNamespace(wishes.temporalAddress);
  const sandbox = await startSandbox();
  const keys = await ensureDemoKeys(databaseUrl);
  const env = {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
    RECOURSE_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    PAYMENTS_URL: sandbox.providers.payments,
    FLIGHTS_URL: sandbox.providers.flights,
    HOTELS_URL: sandbox.providers.hotels,
    MESSAGES_URL: sandbox.providers.messages,
    ...SHORT_TIMES,
    ...wishes.env,
  };
  const parts = new Map<HousePart, Part>();
  const buildOf = (name: HousePart) =>
    (name === 'api' ? wishes.apiBuild : undefined) ?? wishes.build;
  const start = async (name: HousePart, build = buildOf(name)): Promise<Part> => {
    const port = parts.get('api')?.ready.url;
    const pinned = name === 'api' && typeof port === 'string' ? { PORT: new URL(port).port } : {};
    const part = await spawnPart(name, { ...env, ...pinned }, build);
    parts.set(name, part);
    return part;
  };
  await Promise.all((['api', 'worker', 'relay'] as const).map((name) => start(name)));
  const db = new pg.Pool({ connectionString: databaseUrl, max: 12 });
  db.on('error', () => undefined);
  return {
    url: String(parts.get('api')?.ready.url),
    keys,
    sandbox,
    db,
    temporal: namespace,
    env,
    part: (name) => {
      const part = parts.get(name);
      if (part === undefined) throw new Error(`${name} was not started`);
      return part;
    },
    start,
    close: async () => {
      await Promise.all([...parts.values()].map((part) => part.stop()));
      await sandbox.stop();
      await namespace.close();
      await db.end();
      await database?.drop();
    },
  };
}
