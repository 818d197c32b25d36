import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local/free-port.client.js';
import {
  END_POSTGRES_WITH,
  ensureCluster,
  postgresCommand,
  postgresUrl,
  waitForPostgres,
} from '../../src/local/embedded-postgres.process.js';
import { localFolders } from '../../src/local/local-folders.js';
import { findPostgresBinaries } from '../../src/local/postgres-binaries.process.js';
import { postgresUser } from '../../src/local/postgres-user.process.js';
import type { Environment } from '../../src/local/start-child.process.js';
import { findTemporalCli } from '../../src/local/temporal-cli/find-temporal-cli.js';
import { temporalCliWays } from '../../src/local/temporal-cli/temporal-cli-ways.process.js';
import {
  END_TEMPORAL_WITH,
  temporalServerCommand,
  waitForTemporal,
} from '../../src/local/temporal-server.process.js';
import type { Part, PartWishes } from './start-part.process.js';

/** What the two servers are started with. */
export interface ServerWishes {
  /** Theirs alone; users without rights can pass through it. */
  readonly folder: string;
  readonly checkout: string;
  readonly env: Environment;
  /** Costs a little, and says which statements cost the most. */
  readonly countStatements: boolean;
  /** Starts a process that is ended with the others. */
  keep(part: PartWishes): Promise<Part>;
}

/** Where the Temporal server is, and what it writes. */
export interface TemporalAt {
  readonly address: string;
  readonly namespace: string;
  readonly databaseFile: string;
}

const MAX_CONNECTIONS = 200;
const DATABASE = 'recourse';
const NAMESPACE = 'default';

/** Starts Postgres as `npm start` has it, waiting for the disk, and answers the database's URL. */
export async function startPostgres(wishes: ServerWishes): Promise<string> {
  const user = postgresUser(process.getuid?.());
  const plan = {
    binaries: findPostgresBinaries(wishes.folder, user),
    folder: join(wishes.folder, 'postgres'),
    port: await freePort(),
    password: randomBytes(24).toString('hex'),
    user,
    durable: true,
    maxConnections: MAX_CONNECTIONS,
  };
  await ensureCluster(plan);
  const plain = postgresCommand(plan);
  const counting = ['-c', 'shared_preload_libraries=pg_stat_statements'];
  const args = [...plain.args, ...(wishes.countStatements ? counting : [])];
  await wishes.keep({
    name: 'postgres',
    command: { ...plain, args },
    endWith: END_POSTGRES_WITH,
    serves: () => waitForPostgres(plan, DATABASE),
  });
  return postgresUrl(plan, DATABASE);
}

/** Starts Temporal's dev server on a database file as `npm start` does, but without its page. */
export async function startTemporal(wishes: ServerWishes): Promise<TemporalAt> {
  const port = await freePort();
  const databaseFile = join(wishes.folder, 'temporal.db');
  const address = `127.0.0.1:${port}`;
  const command = temporalServerCommand({
    cli: await temporalCli(wishes),
    port,
    uiPort: undefined,
    namespace: NAMESPACE,
    databaseFile,
    env: wishes.env,
  });
  await wishes.keep({
    name: 'temporal',
    command,
    endWith: END_TEMPORAL_WITH,
    serves: () => waitForTemporal(address, NAMESPACE),
  });
  return { address, namespace: NAMESPACE, databaseFile };
}

async function temporalCli({ env, checkout }: ServerWishes): Promise<string> {
  const { cache } = localFolders({
    ...{ env, installation: checkout },
    uid: process.getuid?.(),
    home: homedir(),
    platform: process.platform,
  });
  const cli = await findTemporalCli(
    env.RECOURSE_TEMPORAL_CLI || undefined,
    temporalCliWays({
      cacheFolder: cache,
      env,
      signal: new AbortController().signal,
      onDownload: () => () => undefined,
    }),
  );
  return cli.path;
}
