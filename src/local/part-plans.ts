import type { PartPlan } from './supervise-part.process.js';
import type { Environment } from './start-child.process.js';

/** The built file of each part of ours. */
export interface PartFiles {
  readonly api: string;
  readonly worker: string;
  readonly relay: string;
  /** `undefined` where no act calls it. */
  readonly sandbox: string | undefined;
}

export interface PartAddresses {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | undefined;
  /** `undefined` when every provider is a real one. */
  readonly sandbox: { readonly port: number; readonly url: string } | undefined;
  readonly encryptionKeys: string;
}

/** Longer than a call to a provider (10 s) and its record (5 s): a worker is let finish them. */
const WORKER_GRACE_MS = 20_000;
/** A request may be held for 30 s by `Prefer: wait`; the API itself answers those early. */
const GRACE_MS = 10_000;

export const PROVIDER_VARIABLES = [
  'PAYMENTS_URL',
  'FLIGHTS_URL',
  'HOTELS_URL',
  'MESSAGES_URL',
] as const;

/** How a server that the caller named is reached; the one that is started here needs none of it. */
const PLAIN_TEMPORAL = {
  TEMPORAL_API_KEY: '',
  TEMPORAL_TLS: '',
  TEMPORAL_TLS_CA: '',
  TEMPORAL_TLS_CERT: '',
  TEMPORAL_TLS_KEY: '',
  TEMPORAL_TLS_SERVER_NAME: '',
};

/**
 * The environment of the parts: that of the caller, who may have set anything, with the addresses
 * of what was started for them. A provider that the caller has named stays named.
 */
export function partEnvironment(env: Environment, at: PartAddresses): Environment {
  const providers = PROVIDER_VARIABLES.map((name): [string, string | undefined] => {
    const sandboxPath = name.replace('_URL', '').toLowerCase();
    return [name, env[name] || (at.sandbox && `${at.sandbox.url}/${sandboxPath}`)];
  });
  return {
    ...env,
    ...Object.fromEntries(providers),
    ...(env.TEMPORAL_ADDRESS ? {} : PLAIN_TEMPORAL),
    PORT: String(at.port),
    HOST: at.host,
    DATABASE_URL: at.databaseUrl,
    TEMPORAL_ADDRESS: at.temporalAddress,
    TEMPORAL_UI_URL: env.TEMPORAL_UI_URL || at.temporalUiUrl,
    RECOURSE_ENCRYPTION_KEYS: at.encryptionKeys,
  };
}

/**
 * Where each part tells its metrics: METRICS_PORT is the API's, the next the worker's, then the
 * relay's; for 0 the system chooses each.
 */
export function metricsPorts(first: number): Readonly<Record<'api' | 'worker' | 'relay', number>> {
  return first === 0
    ? { api: 0, worker: 0, relay: 0 }
    : { api: first, worker: first + 1, relay: first + 2 };
}

/**
 * API, worker and relay: they know each other only through Postgres and Temporal, and share no
 * port.
 */
export function ownPartPlans(
  node: string,
  files: PartFiles,
  env: Environment,
): Readonly<Record<'api' | 'worker' | 'relay', PartPlan>> {
  const ports = env.METRICS_PORT ? metricsPorts(Number(env.METRICS_PORT)) : undefined;
  const plan = (name: 'api' | 'worker' | 'relay', graceMs: number): PartPlan => {
    const own = ports === undefined ? env : { ...env, METRICS_PORT: String(ports[name]) };
    return partPlan(name, node, files[name], own, graceMs);
  };
  return {
    api: plan('api', GRACE_MS),
    worker: plan('worker', WORKER_GRACE_MS),
    relay: plan('relay', GRACE_MS),
  };
}

/** The providers' sandbox, which is told nothing of ours. */
export function sandboxPlan(
  node: string,
  file: string,
  env: Environment,
  at: { readonly host: string; readonly port: number; readonly folder: string },
): PartPlan {
  const own = {
    PATH: env.PATH,
    HOME: env.HOME,
    SANDBOX_PORT: String(at.port),
    HOST: at.host,
    SANDBOX_DATA_DIR: at.folder,
  };
  return partPlan('sandbox', node, file, own, GRACE_MS);
}

/** Its command line carries its name, so that a person finds it with `ps`. */
function partPlan(
  name: string,
  node: string,
  file: string,
  env: Environment,
  graceMs: number,
): PartPlan {
  return {
    name,
    command: { file: node, args: ['--enable-source-maps', file, `recourse-${name}`], env },
    endWith: ['SIGTERM', 'SIGKILL'],
    graceMs,
    ready: 'line',
  };
}
