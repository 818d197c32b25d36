import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import type { Command, Environment } from '../../src/local/start-child.process.js';
import { startWatchdog } from '../../src/local/start-watchdog.process.js';
import { PROVIDERS } from '../by-hand/queues.js';
import type { ByHandSettings, WorkerTuning } from '../by-hand/settings.js';
import { startPostgres, startTemporal, type TemporalAt } from './servers.process.js';
import { startPart, type Part, type PartWishes } from './start-part.process.js';

/** Everything that is measured, in processes of its own. */
export interface House {
  readonly databaseUrl: string;
  readonly temporal: TemporalAt;
  readonly sandboxUrl: string;
  readonly api: { readonly url: string; readonly key: string };
  readonly frontUrl: string;
  /** Where the profiles are written, a folder for each process. */
  readonly profiles: string;
  part(name: PartName): Part;
  /** Rejects when one of its processes ends by itself. */
  readonly failed: Promise<never>;
  /** Starts the worker by hand, in the place of the one that runs. */
  startByHand(tuning: WorkerTuning): Promise<void>;
  /** Ends all processes and removes their data. */
  close(): Promise<void>;
}

export const PART_NAMES = [
  ...(['postgres', 'temporal', 'sandbox', 'api', 'worker', 'relay'] as const),
  ...(['front by hand', 'worker by hand'] as const),
] as const;
export type PartName = (typeof PART_NAMES)[number];

export interface HouseWishes {
  /** The folder of this build, with `src` and `bench` in it. */
  readonly built: string;
  readonly checkout: string;
  readonly env: Environment;
  /** True: node's processes can be profiled, and Postgres counts its statements. */
  readonly profile: boolean;
}

const FILES = {
  sandbox: 'src/sandbox/main.js',
  api: 'src/main.js',
  worker: 'src/worker.js',
  relay: 'src/relay.js',
  'front by hand': 'bench/by-hand/front.process.js',
  'worker by hand': 'bench/by-hand/worker.process.js',
} as const;
/** What a profile is made of, where one is asked for. */
export const PROFILED = ['api', 'worker', 'worker by hand'] as const;

/** Starts both servers, the sandbox, the engine's three processes and the front by hand. */
export async function openHouse(wishes: HouseWishes): Promise<House> {
  const { built, env, checkout } = wishes;
  const watchdog = startWatchdog(join(built, 'src/local/watchdog.process.js'));
  const folder = mkdtempSync(join(tmpdir(), 'recourse-bench-'));
  chmodSync(folder, 0o711);
  watchdog.removeAtEnd(folder);
  const profiles = join(folder, 'profiles');
  const parts = new Map<string, Part>();
  let fail!: (error: Error) => void;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  failed.catch(() => undefined);
  const keep = async (part: PartWishes): Promise<Part> => {
    const started = await startPart(part, watchdog);
    parts.set(part.name, started);
    started.died.catch(fail);
    return started;
  };
  const start = (name: keyof typeof FILES, own: Environment, argument: string = name) =>
    keep({ name, command: command(wishes, profiles, name, own, argument) });
  const servers = { folder, checkout, env, countStatements: wishes.profile, keep };
  const database = await startPostgres(servers);
  const temporal = await startTemporal(servers);
  await runMigrations(database);
  const keys = await ensureDemoKeys(database);
  const sandbox = await start('sandbox', { SANDBOX_DATA_DIR: folderIn(folder, 'sandbox') });
  const sandboxUrl = String(sandbox.ready.url);
  const own = engineEnvironment(database, temporal, sandboxUrl);
  const byHand = (tuning: WorkerTuning) => JSON.stringify(byHandAt(temporal, sandboxUrl, tuning));
  const [api, front] = await Promise.all([
    start('api', own),
    start('front by hand', {}, byHand({})),
    start('worker', own),
    start('relay', own),
  ]);
  return {
    databaseUrl: database,
    temporal,
    sandboxUrl,
    api: { url: String(api.ready.url), key: keys.customer },
    frontUrl: String(front.ready.url),
    profiles,
    part: (name) => {
      const part = parts.get(name);
      if (part === undefined) throw new Error(`${name} was not started`);
      return part;
    },
    failed,
    startByHand: async (tuning) => {
      await parts.get('worker by hand')?.stop();
      await start('worker by hand', {}, byHand(tuning));
    },
    close: async () => {
      for (const part of [...parts.values()].toReversed()) await part.stop();
      await watchdog.close();
    },
  };
}

function folderIn(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

/** Its command line carries its name, so that a person finds it with `ps`. */
function command(
  { built, checkout, env, profile }: HouseWishes,
  profiles: string,
  name: keyof typeof FILES,
  own: Environment,
  argument: string,
): Command {
  const profiling =
    profile && PROFILED.some((profiled) => profiled === name)
      ? ['--import', recorderOf(built, join(profiles, name))]
      : [];
  return {
    file: process.execPath,
    args: ['--enable-source-maps', ...profiling, join(built, FILES[name]), argument],
    env: { PATH: env.PATH, HOME: env.HOME, ...own },
    cwd: checkout,
  };
}

function recorderOf(built: string, folder: string): string {
  const url = pathToFileURL(join(built, 'bench/profile/record.process.js'));
  url.searchParams.set('folder', folder);
  return url.href;
}

function engineEnvironment(database: string, temporal: TemporalAt, sandbox: string): Environment {
  const providers = PROVIDERS.map((name) => [`${name.toUpperCase()}_URL`, `${sandbox}/${name}`]);
  return {
    PORT: '0',
    DATABASE_URL: database,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    RECOURSE_ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    ...(Object.fromEntries(providers) as Record<string, string>),
  };
}

function byHandAt(temporal: TemporalAt, sandbox: string, tuning: WorkerTuning): ByHandSettings {
  const { address, namespace } = temporal;
  const [payments, flights, hotels, messages] = PROVIDERS.map((name) => `${sandbox}/${name}`);
  const providers = { payments, flights, hotels, messages } as ByHandSettings['providers'];
  return { address, namespace, taskQueue: 'by-hand', providers, tuning };
}
