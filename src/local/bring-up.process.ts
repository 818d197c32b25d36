import type { Config } from '../config.js';
import type { TemporalFault } from '../engine/runs/temporal-runs.js';
import { openTemporal } from '../engine/runs/temporal.client.js';
import {
  END_POSTGRES_WITH,
  ensureCluster,
  LOCAL_DATABASE,
  postgresCommand,
  postgresUrl,
  waitForPostgres,
} from './embedded-postgres.process.js';
import { preferPort } from './free-port.client.js';
import type { Ground } from './local-ground.process.js';
import type { House } from './local-house.process.js';
import { postgresProblem } from './local-postgres.store.js';
import { PROVIDER_VARIABLES, sandboxPlan } from './part-plans.js';
import { pollUntil } from './poll-until.process.js';
import { findPostgresBinaries } from './postgres-binaries.process.js';
import { clearPidFile } from './postgres-pid-file.process.js';
import type { Environment } from './start-child.process.js';
import { findTemporalCli } from './temporal-cli/find-temporal-cli.js';
import { temporalCliWays } from './temporal-cli/temporal-cli-ways.process.js';
import {
  END_TEMPORAL_WITH,
  temporalServerCommand,
  waitForTemporal,
} from './temporal-server.process.js';
import type { Terminal } from './terminal.process.js';

export interface BringUp {
  readonly house: House;
  readonly ground: Ground;
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Aborted when the start is stopped before it is complete. */
  readonly signal: AbortSignal;
}

const LOCAL = '127.0.0.1';
/** Beside the usual ports of servers that a developer may have running; others serve as well. */
const WISHED_PORTS = { postgres: 54_329, temporal: 7233, temporalUi: 8233, sandbox: 4010 };

const GRACE_MS = 10_000;
const MAX_CONNECTIONS = 200;

/** Long enough for a server that was started a moment ago. */
const NAMED_LIMIT_MS = 10_000;

/** Starts the embedded Postgres, or looks whether the named one answers, and gives its URL. */
export async function bringPostgres(to: BringUp): Promise<string> {
  const { env, ground, house, terminal } = to;
  if (env.DATABASE_URL) {
    const problem = await postgresProblem(env.DATABASE_URL);
    if (problem === undefined) return env.DATABASE_URL;
    const { host } = new URL(env.DATABASE_URL);
    throw new Error(`DATABASE_URL: the Postgres at ${host} cannot be used: ${problem}`);
  }
  const plan = {
    binaries: findPostgresBinaries(ground.folder.path, ground.postgresAs),
    folder: ground.folder.postgres,
    port: await preferPort(LOCAL, WISHED_PORTS.postgres),
    password: ground.secrets.postgresPassword,
    user: ground.postgresAs,
    durable: true,
    maxConnections: MAX_CONNECTIONS,
  };
  await ensureCluster(plan, to.signal);
  await house.launch({
    name: 'postgres',
    command: postgresCommand(plan),
    endWith: END_POSTGRES_WITH,
    graceMs: GRACE_MS,
    prepare: async () => {
      const found = await clearPidFile(plan.folder);
      if (found.kind === 'ended') {
        terminal.line(`  ended a Postgres that was left running on these data (${found.pid})`);
      }
    },
    ready: () => waitForPostgres(plan, LOCAL_DATABASE, to.signal),
  });
  return postgresUrl(plan, LOCAL_DATABASE);
}

export interface TemporalAt {
  readonly address: string;
  readonly uiUrl: string | undefined;
  readonly cliFrom: string | undefined;
}

/** Starts the Temporal dev server on its database file, unless a server is named. */
export async function bringTemporal(to: BringUp): Promise<TemporalAt> {
  const { env, ground, house, terminal } = to;
  if (env.TEMPORAL_ADDRESS) {
    return namedTemporal(ground.config.temporal, to.signal);
  }
  const cli = await findTemporalCli(
    env.RECOURSE_TEMPORAL_CLI || undefined,
    temporalCliWays({
      cacheFolder: ground.cacheFolder,
      env,
      signal: to.signal,
      onDownload: (from) => terminal.download(`the Temporal CLI from ${from}`),
    }),
  );
  const port = await preferPort(LOCAL, WISHED_PORTS.temporal);
  const uiPort = await preferPort(LOCAL, WISHED_PORTS.temporalUi);
  const address = `${LOCAL}:${port}`;
  const { namespace } = ground.config.temporal;
  await house.launch({
    name: 'temporal',
    command: temporalServerCommand({
      cli: cli.path,
      port,
      uiPort,
      namespace,
      databaseFile: `${ground.folder.temporal}/temporal.db`,
      env,
    }),
    endWith: END_TEMPORAL_WITH,
    graceMs: GRACE_MS,
    ready: () => waitForTemporal(address, namespace, to.signal),
  });
  return { address, uiUrl: `http://${LOCAL}:${uiPort}`, cliFrom: `${cli.path}   (${cli.from})` };
}

/** Looks at a named server as the parts will: with the key and the certificates that are named. */
async function namedTemporal(named: Config['temporal'], signal: AbortSignal): Promise<TemporalAt> {
  const temporal = openTemporal(named);
  let problem: TemporalFault | null = null;
  const answers = async () => (problem = await temporal.problem()) === null;
  const isThere = await pollUntil(answers, { limitMs: NAMED_LIMIT_MS, everyMs: 500, signal });
  await temporal.close();
  if (!isThere) throw notThere(named, problem);
  return { address: named.address, uiUrl: named.uiUrl ?? undefined, cliFrom: undefined };
}

function notThere({ address, namespace }: Config['temporal'], problem: TemporalFault | null) {
  return new Error(
    `TEMPORAL_ADDRESS: no server with the namespace ${namespace} answers at ${address} within ` +
      `10 s (${problem?.code}): start it, or leave the variable out`,
  );
}

/** Starts the providers' sandbox, unless every provider is named. */
export async function bringSandbox(
  to: BringUp,
  node: string,
  file: string,
): Promise<{ readonly port: number; readonly url: string } | undefined> {
  if (PROVIDER_VARIABLES.every((name) => to.env[name])) return undefined;
  const port = await preferPort(LOCAL, WISHED_PORTS.sandbox);
  const at = { host: LOCAL, port, folder: to.ground.folder.sandbox };
  await to.house.launch(sandboxPlan(node, file, to.env, at));
  return { port, url: `http://${LOCAL}:${port}` };
}
