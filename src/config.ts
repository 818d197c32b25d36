import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ADMISSION_VARIABLES, admissionOf, type AdmissionConfig } from './admission-config.js';

/**
 * Thrown at start for a variable that is missing or wrong; its message is one line for a person.
 */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** A whole number in digits, from `least` to `most`. */
function whole(least: number, most: number, what: string) {
  const says = `${what} from ${least} to ${most} expected`;
  return z
    .string()
    .regex(/^\d{1,9}$/, says)
    .transform(Number)
    .refine((value) => value >= least && value <= most, says);
}

const port = whole(0, 65_535, 'a port');
/** What fits into a header: anything else is a slip of the clipboard. */
export const bearer = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'printable characters without spaces expected');
const milliseconds = whole(1, 86_400_000, 'milliseconds');
/** An address without the slash at its end. */
export const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ''));

/** Origins as browsers send them, which they do to the letter. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine(
    (all) => (all.length === 1 && all[0] === '*') || all.every(isOrigin),
    '* or origins such as https://shop.example.com, separated by commas, expected',
  )
  .transform((all) => (all[0] === '*' ? '*' : all));

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const Environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: url.optional(),
  RECOURSE_CORS_ORIGINS: origins.default([]),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/, 'host:port expected'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_API_KEY: bearer.optional(),
  TEMPORAL_TLS: z.enum(['true', 'false']).optional(),
  TEMPORAL_TLS_CA: z.string().min(1).optional(),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS_SERVER_NAME: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, 'a host name expected')
    .optional(),
  TEMPORAL_UI_URL: url.optional(),
  RECOURSE_ENCRYPTION_KEYS: z.string().min(1),
  RECOURSE_CALL_TIMEOUT_MS: milliseconds.optional(),
  RECOURSE_SETTLES_MS: milliseconds.optional(),
  RECOURSE_LOOK_AFTER_MS: milliseconds.default(60_000),
  RECOURSE_START_GRACE_MS: milliseconds.default(5_000),
  ...ADMISSION_VARIABLES,
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

type Environment = z.infer<typeof Environment>;

/** May be named as a file instead, by `<NAME>_FILE`: a secret then stands in no environment. */
const SECRETS = [
  'DATABASE_URL',
  'RECOURSE_ENCRYPTION_KEYS',
  'TEMPORAL_API_KEY',
  'PAYMENTS_KEY',
  'FLIGHTS_KEY',
  'HOTELS_KEY',
  'MESSAGES_KEY',
  'RECOURSE_KEY',
] as const;

/**
 * Of an address a request can be built on: a password, a query or a fragment has no place in it.
 */
const apiUrl = url.refine((text) => !/[@?#]/.test(text), 'only scheme, host, port and path');

const CliEnvironment = z.object({
  RECOURSE_URL: apiUrl.optional(),
  // What cannot stand in a header is a slip of the clipboard.
  RECOURSE_KEY: bearer.optional(),
  DATABASE_URL: Environment.shape.DATABASE_URL.optional(),
});

/** The files are paths; null: not set. */
export interface TemporalTlsConfig {
  readonly ca: string | null;
  readonly pair: { readonly cert: string; readonly key: string } | null;
  readonly serverName: string | null;
}

/** What a process is told from outside; read once at its start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** What problem types and links start with; null: the address the API listens on. */
  readonly publicUrl: string | null;
  /** Whose pages may ask the API from a browser: those of these origins, or `*`, any. */
  readonly corsOrigins: '*' | readonly string[];
  readonly databaseUrl: string;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly apiKey: string | null;
    /** Null: in plain text. */
    readonly tls: TemporalTlsConfig | null;
    readonly uiUrl: string | null;
  };
  readonly encryptionKeys: string;
  readonly timing: {
    /** Shortens the time-out of every provider call; null: as each step says. */
    readonly callTimeoutMs: number | null;
    /** Overrides how long every provider needs to settle; null: as each provider says. */
    readonly settlesMs: number | null;
    /** How long after its last news the sweep first looks at a run. */
    readonly lookAfterMs: number;
    /** How long the relay leaves a start to the API that accepted it. */
    readonly startGraceMs: number;
  };
  /** What one API process takes on at most. */
  readonly admission: AdmissionConfig;
  /** Where metrics and health are served; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly logLevel: Environment['LOG_LEVEL'];
}

/** What the verbs of the CLI are told from outside; null: not set. */
export interface CliConfig {
  /** The API that is asked. */
  readonly url: string | null;
  /** As whom. */
  readonly key: string | null;
  readonly databaseUrl: string | null;
}

/** Answers the text of a file; throws when it cannot be read. */
export type ReadText = (path: string) => string;

const readText: ReadText = (path) => readFileSync(path, 'utf8');

/**
 * Reads the environment: the only place that does. Throws ConfigError with one line that names the
 * variable and what is wrong with it. An empty variable counts as not set; a secret may lie in the
 * file that `<NAME>_FILE` names.
 */
export function readConfig(environment: NodeJS.ProcessEnv, read = readText): Config {
  return Object.freeze(configOf(parse(Environment, environment, read)));
}

/** Reads what the verbs of the CLI need of the environment. Throws ConfigError. */
export function readCliConfig(environment: NodeJS.ProcessEnv, read = readText): CliConfig {
  const env = parse(CliEnvironment, environment, read);
  return {
    url: env.RECOURSE_URL ?? null,
    key: env.RECOURSE_KEY ?? null,
    databaseUrl: env.DATABASE_URL ?? null,
  };
}

/** The configuration that is named, as it is written; null: none is. */
export function namedConfiguration(environment: NodeJS.ProcessEnv): string | null {
  return environment['RECOURSE_CONFIG'] || null;
}

/**
 * The environment with every secret that `<NAME>_FILE` names put in its place: the text of the
 * file, without the line breaks at its end. Throws ConfigError when it cannot be read, is empty, or
 * when the variable itself is set too: which of both was meant?
 */
export function withSecretsRead(
  environment: NodeJS.ProcessEnv,
  read = readText,
): NodeJS.ProcessEnv {
  const told = { ...environment };
  for (const name of SECRETS) {
    const path = told[fileVariable(name)];
    delete told[fileVariable(name)];
    if (!path) continue;
    if (told[name]) throw new ConfigError(`${name} and ${fileVariable(name)}: set one of them`);
    told[name] = secretIn(path, fileVariable(name), read);
  }
  return told;
}

const fileVariable = (name: string): string => `${name}_FILE`;

function secretIn(path: string, variable: string, read: ReadText): string {
  let text: string;
  try {
    text = read(path);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`${variable}: ${path} cannot be read (${reason})`);
  }
  const secret = text.replace(/[\r\n]+$/, '');
  if (secret === '') throw new ConfigError(`${variable}: ${path} is empty`);
  return secret;
}

/**
 * Reads an environment by a schema; `read` answers the text of files of secrets. Throws
 * ConfigError.
 */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
  read = readText,
): z.infer<Schema> {
  const told = withSecretsRead(environment, read);
  const given = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues
      .map(({ path, message }) => {
        const name = path.join('.');
        if (given[name] === undefined) return `${name}: is not set`;
        return `${environment[fileVariable(name)] ? fileVariable(name) : name}: ${message}`;
      })
      .join('; '),
  );
}

function configOf(env: Environment): Config {
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? null,
    corsOrigins: env.RECOURSE_CORS_ORIGINS,
    databaseUrl: env.DATABASE_URL,
    temporal: temporalOf(env),
    encryptionKeys: env.RECOURSE_ENCRYPTION_KEYS,
    timing: {
      callTimeoutMs: env.RECOURSE_CALL_TIMEOUT_MS ?? null,
      settlesMs: env.RECOURSE_SETTLES_MS ?? null,
      lookAfterMs: env.RECOURSE_LOOK_AFTER_MS,
      startGraceMs: env.RECOURSE_START_GRACE_MS,
    },
    admission: admissionOf(env),
    metrics:
      env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    logLevel: env.LOG_LEVEL,
  };
}

function temporalOf(env: Environment): Config['temporal'] {
  return {
    address: env.TEMPORAL_ADDRESS,
    namespace: env.TEMPORAL_NAMESPACE,
    apiKey: env.TEMPORAL_API_KEY ?? null,
    tls: temporalTlsOf(env),
    uiUrl: env.TEMPORAL_UI_URL ?? null,
  };
}

/** A key or a certificate asks for TLS by itself; a key alone may be told to do without it. */
function temporalTlsOf(env: Environment): TemporalTlsConfig | null {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = env;
  const { TEMPORAL_TLS: wanted, TEMPORAL_TLS_SERVER_NAME: serverName } = env;
  if ((cert === undefined) !== (key === undefined)) {
    throw new ConfigError('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY: set both or neither');
  }
  const needsTls = [ca, cert, serverName].some((value) => value !== undefined);
  if (wanted === 'false') {
    if (!needsTls) return null;
    throw new ConfigError('TEMPORAL_TLS: false, though another TEMPORAL_TLS_… is set');
  }
  if (wanted === undefined && !needsTls && env.TEMPORAL_API_KEY === undefined) return null;
  return {
    ca: ca ?? null,
    pair: cert !== undefined && key !== undefined ? { cert, key } : null,
    serverName: serverName ?? null,
  };
}
