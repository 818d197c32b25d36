import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import type { Exit } from '../../src/local/start-child.process.js';
import { interpolate, readCompose, type Service } from '../compose/compose-file.js';
import { graceSeconds } from '../compose/container-rules.js';
import { ownFolder, startOwned, type OwnedProcess } from './owned-process.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SECRETS = '/run/secrets/';
/** Six processes begin at once, and two cores may be busy with other things. */
const HEALTHY_LIMIT_MS = 120_000;

/** The servers of this machine that stand in for those of the compose file. */
export interface Ground {
  readonly databaseUrl: string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** What whoever deploys writes into `.env`. */
  readonly deployer: Readonly<Record<string, string>>;
}

export interface Production {
  /** `api-1`, `api-2`, `worker-1` and so on. */
  readonly names: readonly string[];
  readonly apiUrls: readonly string[];
  pid(name: string): number;
  /**
   * SIGTERM, the end, a new process, healthy by its health check. Answers how the old one ended
   * within its `stop_grace_period`, or was ended after it.
   */
  restart(name: string): Promise<Exit>;
  close(): Promise<void>;
}

/**
 * Starts as many of `api`, `worker` and `relay` as docker-compose.yml says, with its commands,
 * settings and files of secrets, and answers when its health checks hold. Only addresses differ: of
 * the servers, and the ports, which every container has for itself and this machine has once.
 */
export async function startProduction(ground: Ground): Promise<Production> {
  const { services } = readCompose('docker-compose.yml');
  const secrets = writeSecrets(ground);
  const wanted = (['api', 'worker', 'relay'] as const).flatMap((kind) => {
    const service = services[kind];
    if (service === undefined) throw new Error(`docker-compose.yml has no ${kind}`);
    const numbers = Array.from({ length: service.deploy?.replicas ?? 1 }, (_none, at) => at + 1);
    return numbers.map((number) => ({ name: `${kind}-${number}`, kind, service }));
  });
  const started = wanted.map(async ({ name, kind, service }) => {
    const env = await environmentHere(service, ground, secrets);
    return [name, await startPart(kind, service, env)] as const;
  });
  const parts = new Map(await Promise.all(started));
  const part = (name: string): RunningPart => {
    const found = parts.get(name);
    if (found === undefined) throw new Error(`${name} is not in docker-compose.yml`);
    return found;
  };
  return {
    names: [...parts.keys()],
    apiUrls: [...parts]
      .filter(([name]) => name.startsWith('api'))
      .map(([, { env }]) => `http://127.0.0.1:${env['PORT']}`),
    pid: (name) => part(name).process.pid,
    restart: async (name) => {
      const { kind, service, env, process } = part(name);
      await process.stop(graceSeconds(service) * 1000);
      parts.set(name, await startPart(kind, service, env));
      return process.exit;
    },
    close: async () => {
      await Promise.all([...parts.values()].map(({ process }) => process.stop()));
    },
  };
}

interface RunningPart {
  readonly kind: string;
  readonly service: Service;
  readonly env: Readonly<Record<string, string>>;
  readonly process: OwnedProcess;
}

/** The files that compose would mount, named as it would name them. */
function writeSecrets({ databaseUrl }: Ground): string {
  const folder = ownFolder('secrets');
  const texts: Record<string, string> = {
    database_url: databaseUrl,
    encryption_keys: `k1:${randomBytes(32).toString('base64')}`,
    payments_key: 'payments-know-us',
    flights_key: 'flights-know-us',
    hotels_key: 'hotels-know-us',
    messages_key: 'messages-know-us',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), `${text}\n`);
  return folder;
}

/** What compose would hand over, and in it the addresses of this machine. */
async function environmentHere(
  { environment = {} }: Service,
  { temporal, deployer }: Ground,
  secrets: string,
): Promise<Record<string, string>> {
  const here: Record<string, string> = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
  };
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const told = interpolate(value, deployer).replace(SECRETS, `${secrets}/`);
      return [name, here[name] ?? told];
    }),
  );
}

async function startPart(
  kind: string,
  service: Service,
  env: Readonly<Record<string, string>>,
): Promise<RunningPart> {
  const [program, ...args] = service.command ?? [];
  if (program !== 'node') throw new Error(`${kind} is not started by node`);
  // Of the machine it knows nothing but where programs are: its home does not exist.
  const own = { PATH: process.env.PATH, HOME: '/nonexistent', ...env };
  const command = { file: process.execPath, args, env: own, cwd: ROOT };
  const running = await startOwned(kind, command);
  const ended = running.exit.then(() => 'ended' as const);
  const healthy = await Promise.race([
    pollUntil(() => isHealthy(service, own), { limitMs: HEALTHY_LIMIT_MS, everyMs: 500 }),
    ended,
  ]);
  if (healthy === true) return { kind, service, env, process: running };
  await running.kill9();
  throw new Error(`${kind} ${healthy ?? 'did not become healthy'}:\n${running.output()}`);
}

/** Runs the health check of the compose file, as the container would. */
function isHealthy({ healthcheck }: Service, env: NodeJS.ProcessEnv): Promise<true | undefined> {
  const [, , ...args] = healthcheck?.test ?? [];
  return new Promise((resolved) => {
    execFile(process.execPath, args, { env, timeout: 5_000 }, (error) => {
      resolved(error === null ? true : undefined);
    });
  });
}
