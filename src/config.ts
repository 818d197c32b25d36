import { z } from 'zod';

/**
 * Thrown at start for a variable that is missing or wrong; its message is one line for a person.
 */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

const port = z.coerce.number().int().min(0).max(65_535);
const milliseconds = z.coerce.number().int().min(1).max(86_400_000);
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ''));
const SANDBOX = 'http://127.0.0.1:4010';

const Environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: url.optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  TEMPORAL_ADDRESS: z.string().regex(/^[^\s:/]+:\d+$/, 'host:port expected'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_UI_URL: url.optional(),
  PAYMENTS_URL: url.default(`${SANDBOX}/payments`),
  FLIGHTS_URL: url.default(`${SANDBOX}/flights`),
  HOTELS_URL: url.default(`${SANDBOX}/hotels`),
  MESSAGES_URL: url.default(`${SANDBOX}/messages`),
  PAYMENTS_KEY: z.string().min(1).optional(),
  FLIGHTS_KEY: z.string().min(1).optional(),
  HOTELS_KEY: z.string().min(1).optional(),
  MESSAGES_KEY: z.string().min(1).optional(),
  RECOURSE_ENCRYPTION_KEYS: z.string().min(1),
  RECOURSE_CALL_TIMEOUT_MS: milliseconds.optional(),
  RECOURSE_SETTLES_MS: milliseconds.optional(),
  RECOURSE_LOOK_AFTER_MS: milliseconds.default(60_000),
  RECOURSE_START_GRACE_MS: milliseconds.default(5_000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

type Environment = z.infer<typeof Environment>;

/**
 * Of an address a request can be built on: a password, a query or a fragment has no place in it.
 */
const apiUrl = url.refine((text) => !/[@?#]/.test(text), 'only scheme, host, port and path');

const CliEnvironment = z.object({
  RECOURSE_URL: apiUrl.optional(),
  // What cannot stand in a header is a slip of the clipboard.
  RECOURSE_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'printable characters without spaces expected')
    .optional(),
  DATABASE_URL: Environment.shape.DATABASE_URL.optional(),
});

export interface ProviderAddress {
  readonly url: string;
  readonly key: string | null;
}

/** What a process is told from outside; read once at its start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** What problem types and links start with; null: the address the API listens on. */
  readonly publicUrl: string | null;
  readonly databaseUrl: string;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly apiKey: string | null;
    /** Paths of the client certificate and its key. */
    readonly tls: { readonly cert: string; readonly key: string } | null;
    readonly uiUrl: string | null;
  };
  readonly providers: Readonly<
    Record<'payments' | 'flights' | 'hotels' | 'messages', ProviderAddress>
  >;
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

/**
 * Reads the environment: the only place that does. Throws ConfigError with one line that names the
 * variable and what is wrong with it. An empty variable counts as not set.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return Object.freeze(configOf(read(Environment, environment)));
}

/** Reads what the verbs of the CLI need of the environment. Throws ConfigError. */
export function readCliConfig(environment: NodeJS.ProcessEnv): CliConfig {
  const env = read(CliEnvironment, environment);
  return {
    url: env.RECOURSE_URL ?? null,
    key: env.RECOURSE_KEY ?? null,
    databaseUrl: env.DATABASE_URL ?? null,
  };
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new ConfigError(describe(parsed.error, new Map(given)));
  return parsed.data;
}

function describe(error: z.ZodError, given: ReadonlyMap<string, unknown>): string {
  return error.issues
    .map((issue) => {
      const name = issue.path.join('.');
      return `${name}: ${given.has(name) ? issue.message : 'is not set'}`;
    })
    .join('; ');
}

function configOf(env: Environment): Config {
  if ((env.TEMPORAL_TLS_CERT === undefined) !== (env.TEMPORAL_TLS_KEY === undefined)) {
    throw new ConfigError('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY: set both or neither');
  }
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? null,
    databaseUrl: env.DATABASE_URL,
    temporal: temporalOf(env),
    providers: {
      payments: { url: env.PAYMENTS_URL, key: env.PAYMENTS_KEY ?? null },
      flights: { url: env.FLIGHTS_URL, key: env.FLIGHTS_KEY ?? null },
      hotels: { url: env.HOTELS_URL, key: env.HOTELS_KEY ?? null },
      messages: { url: env.MESSAGES_URL, key: env.MESSAGES_KEY ?? null },
    },
    encryptionKeys: env.RECOURSE_ENCRYPTION_KEYS,
    timing: {
      callTimeoutMs: env.RECOURSE_CALL_TIMEOUT_MS ?? null,
      settlesMs: env.RECOURSE_SETTLES_MS ?? null,
      lookAfterMs: env.RECOURSE_LOOK_AFTER_MS,
      startGraceMs: env.RECOURSE_START_GRACE_MS,
    },
    logLevel: env.LOG_LEVEL,
  };
}

function temporalOf(env: Environment): Config['temporal'] {
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = env;
  return {
    address: env.TEMPORAL_ADDRESS,
    namespace: env.TEMPORAL_NAMESPACE,
    apiKey: env.TEMPORAL_API_KEY ?? null,
    tls: cert !== undefined && key !== undefined ? { cert, key } : null,
    uiUrl: env.TEMPORAL_UI_URL ?? null,
  };
}
