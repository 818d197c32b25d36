import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../src/local/free-port.client.js';
import { localFolders } from '../../src/local/local-folders.js';
import {
  END_POSTGRES_WITH,
  ensureCluster,
  postgresCommand,
  postgresUrl,
  waitForPostgres,
} from '../../src/local/embedded-postgres.process.js';
import { findPostgresBinaries } from '../../src/local/postgres-binaries.process.js';
import { postgresUser } from '../../src/local/postgres-user.process.js';
import { describeExit } from '../../src/local/start-child.process.js';
import { findTemporalCli } from '../../src/local/temporal-cli/find-temporal-cli.js';
import { temporalCliWays } from '../../src/local/temporal-cli/temporal-cli-ways.process.js';
import {
  END_TEMPORAL_WITH,
  temporalServerCommand,
  waitForTemporal,
} from '../../src/local/temporal-server.process.js';
import { ownFolder, startOwned, type OwnedProcess } from './owned-process.js';

/** The data of a server as they were when it was copied. */
export interface OlderCopy {
  /** Brings them back in the place of those of now, and starts the server with them. */
  restore(): Promise<void>;
}

export interface OwnPostgres {
  /** Of the database that was asked for. */
  readonly url: string;
  readonly adminUrl: string;
  readonly port: number;
  kill9(): Promise<void>;
  stop(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** Copies its data, for which it is away for a moment. */
  copy(): Promise<OlderCopy>;
}

export interface PostgresWishes {
  readonly database?: string;
  /** True for tests about crashes of the machine; a `kill -9` loses nothing without it. */
  readonly durable?: boolean;
}

/** A Postgres of one's own in a new folder; what it loses nothing by is in `PostgresWishes`. */
export async function startPostgres(wishes: PostgresWishes = {}): Promise<OwnPostgres> {
  const folder = ownFolder('postgres');
  const user = postgresUser(process.getuid?.());
  const plan = {
    binaries: findPostgresBinaries(folder, user),
    folder: join(folder, 'data'),
    port: await freePort(),
    password: randomBytes(12).toString('hex'),
    user,
    durable: wishes.durable ?? false,
    maxConnections: 300,
  };
  await ensureCluster(plan);
  const database = wishes.database ?? 'recourse';
  const start = async (): Promise<OwnedProcess> => {
    const server = await startOwned('postgres', postgresCommand(plan), END_POSTGRES_WITH);
    await readyOrDead(server, waitForPostgres(plan, database));
    return server;
  };
  let server = await start();
  const own = {
    kill9: () => server.kill9(),
    stop: () => server.stop(),
    start: async () => {
      server = await start();
    },
  };
  return {
    url: postgresUrl(plan, database),
    adminUrl: postgresUrl(plan, 'postgres'),
    port: plan.port,
    ...own,
    copy: () => copyData(own, plan.folder),
  };
}

export interface OwnTemporal {
  readonly address: string;
  /** Where its web page is; null: it has none. */
  readonly pages: string | null;
  kill9(): Promise<void>;
  stop(): Promise<void>;
  /** Starts it again on the same port, and on the same data if there is a file. */
  start(): Promise<void>;
  /** Copies its file, for which it is away for a moment. */
  copy(): Promise<OlderCopy>;
}

export interface TemporalWishes {
  /** `true`: a database file in a new folder, so that a kill -9 forgets nothing. */
  readonly dbFile?: boolean | string;
  /** After so many events it suggests to continue as new; by itself after thousands. */
  readonly suggestContinueAsNewAfter?: number;
  /** With its web page. */
  readonly pages?: boolean;
}

/** A Temporal dev server of one's own. */
export async function startTemporal(wishes: TemporalWishes = {}): Promise<OwnTemporal> {
  const { dbFile, suggestContinueAsNewAfter: after } = wishes;
  const port = await freePort();
  const uiPort = wishes.pages === true ? await freePort() : undefined;
  const databaseFile =
    dbFile === true ? join(ownFolder('temporal'), 'temporal.db') : dbFile || undefined;
  const plain = temporalServerCommand({
    cli: (await testCli()).path,
    port,
    uiPort,
    namespace: 'default',
    databaseFile,
    env: process.env,
  });
  const suggest = `limit.historyCount.suggestContinueAsNew=${after}`;
  const more = after === undefined ? [] : ['--dynamic-config-value', suggest];
  const command = { ...plain, args: [...plain.args, ...more] };
  const address = `127.0.0.1:${port}`;
  const start = async (): Promise<OwnedProcess> => {
    const server = await startOwned('temporal', command, END_TEMPORAL_WITH);
    await readyOrDead(server, waitForTemporal(address, 'default'));
    return server;
  };
  let server = await start();
  const own = {
    kill9: () => server.kill9(),
    stop: () => server.stop(),
    start: async () => {
      server = await start();
    },
  };
  return {
    address,
    pages: uiPort === undefined ? null : `http://127.0.0.1:${uiPort}`,
    ...own,
    copy: () => {
      if (databaseFile === undefined) throw new Error('this Temporal keeps nothing on disk');
      return copyData(own, dirname(databaseFile));
    },
  };
}

interface Server {
  kill9(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A copy of a whole folder of a server, taken while it is stopped; its owner stays. */
async function copyData({ kill9, stop, start }: Server, folder: string): Promise<OlderCopy> {
  const kept = join(ownFolder('copy'), 'data');
  await stop();
  await copyFolder(folder, kept);
  await start();
  return {
    restore: async () => {
      await kill9();
      for (const name of await readdir(folder)) await rm(join(folder, name), ANYHOW);
      await copyFolder(`${kept}/.`, folder);
      await start();
    },
  };
}

const ANYHOW = { recursive: true, force: true };

async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

/** The same search as that of the local start; a first run on a machine downloads here, too. */
function testCli() {
  const { cache } = localFolders({
    env: process.env,
    uid: process.getuid?.(),
    home: homedir(),
    platform: process.platform,
    installation: process.cwd(),
  });
  return findTemporalCli(
    process.env.RECOURSE_TEMPORAL_CLI || undefined,
    temporalCliWays({
      cacheFolder: cache,
      env: process.env,
      signal: new AbortController().signal,
      onDownload: (from) => {
        process.stdout.write(`bringing the Temporal CLI from ${from}\n`);
        return () => undefined;
      },
    }),
  );
}

async function readyOrDead(server: OwnedProcess, ready: Promise<unknown>): Promise<void> {
  const died = server.exit.then((exit) => {
    throw new Error(`the server ${describeExit(exit)} before it was ready:\n${server.output()}`);
  });
  // Whichever loses the race must not become an unhandled rejection.
  died.catch(() => undefined);
  ready.catch(() => undefined);
  await Promise.race([ready, died]);
}
