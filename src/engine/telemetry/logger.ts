import { pino, type DestinationStream } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/**
 * The only fields that a log line may have beside its text: names, ids, codes, counts, durations.
 * What a customer sent, a provider answered or Postgres complained of is not among them.
 */
const ALLOWED = [
  'run',
  'saga',
  'version',
  'versions',
  'step',
  'direction',
  'attempt',
  'seq',
  'outcome',
  'because',
  'case',
  'account',
  'execution',
  'worker',
  'queue',
  'provider',
  'activity',
  'kind',
  'subject',
  'state',
  'reason',
  'code',
  'count',
  'tries',
  'duration_ms',
  'wait_ms',
  'lag_ms',
  'request_id',
  'method',
  'route',
  'status',
  'url',
] as const;

export type LogFields = Readonly<
  Partial<Record<(typeof ALLOWED)[number], string | number | boolean | null>>
> & {
  /** Whatever was caught: its name and its code are written, never its message or its parts. */
  readonly error?: unknown;
};

/** Writes one line; `text` is a constant of the program, never built from data. */
type Write = (text: string, fields?: LogFields) => void;

export interface Logger {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

export interface LoggerSettings {
  /** The process that speaks, such as `relay`. */
  readonly part: string;
  readonly level: LogLevel;
}

/**
 * Opens the log of one process: JSON lines on stdout, or on `to`. The allow-list holds at run time
 * too, so that a cast lets nothing slip through: a field that is not on it is left out, and a value
 * that does not look like a name, id or code is withheld.
 */
export function createLogger(settings: LoggerSettings, to?: DestinationStream): Logger {
  const options = {
    level: settings.level,
    base: { part: settings.part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = to === undefined ? pino(options) : pino(options, to);
  return Object.freeze({
    debug: (text: string, fields: LogFields = {}) => lines.debug(allowed(fields), text),
    info: (text: string, fields: LogFields = {}) => lines.info(allowed(fields), text),
    warn: (text: string, fields: LogFields = {}) => lines.warn(allowed(fields), text),
    error: (text: string, fields: LogFields = {}) => lines.error(allowed(fields), text),
  });
}

/**
 * What may be said of an error: its class, and its code where it has one. A message may quote a
 * row, a request or a password, so it stays out.
 */
export function nameAndCode(error: unknown): { name: string; code?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  const name = /^[A-Za-z]\w{0,60}$/.test(error.name) ? error.name : 'Error';
  const code = 'code' in error ? String(error.code) : '';
  return /^\w{1,40}$/.test(code) ? { name, code } : { name };
}

function allowed(fields: LogFields): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of ALLOWED) {
    const value = fields[name];
    if (value !== undefined) line[name] = plain(value);
  }
  if (fields.error !== undefined) line['error'] = nameAndCode(fields.error);
  return line;
}

/** A name, id, code, route or `saga@1`: no blank, so no prose; no other @, so no address. */
const NAME = '[A-Za-z0-9_.:/{}+-]*(?:@\\d{1,9})?';
const NAMES = new RegExp(`^${NAME}(?:,${NAME})*$`);
const LONGEST = 200;

function plain(value: unknown): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  const passes = typeof value === 'string' && value.length <= LONGEST && NAMES.test(value);
  return passes ? value : '[withheld]';
}
