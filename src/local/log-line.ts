export type LogLevel = 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  /** What a person reads: the message without its wrapping. */
  readonly text: string;
  /** The whole object when the part says that it is ready. */
  readonly ready?: Readonly<Record<string, unknown>>;
}

/** The numbers of pino's levels. */
const WARN = 40;
const ERROR = 50;

/**
 * Reads one line of a part: JSON with `level` as a number (our own parts) or a word (the Temporal
 * server), Postgres' own format, or plain text, which is taken as a warning on standard error.
 */
export function readLogLine(line: string, stream: 'stdout' | 'stderr'): LogLine {
  const json = line.startsWith('{') ? parseObject(line) : undefined;
  if (json !== undefined) return fromJson(json, line);
  const postgres = /\b(DEBUG|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC): {1,2}(.*)$/.exec(line);
  if (postgres !== null) return { level: postgresLevel(postgres[1]), text: line };
  return { level: stream === 'stderr' ? 'warn' : 'info', text: line };
}

function fromJson(json: Record<string, unknown>, line: string): LogLine {
  const words = [json.msg, json.message, json.error].filter((word) => typeof word === 'string');
  const cause = asObject(json.err)?.message;
  if (typeof cause === 'string' && !words.includes(cause)) words.push(cause);
  return {
    level: jsonLevel(json.level),
    text: words.length > 0 ? words.join(': ') : line,
    ...(json.ready === true ? { ready: json } : {}),
  };
}

function jsonLevel(level: unknown): LogLevel {
  if (typeof level === 'number') {
    if (level >= ERROR) return 'error';
    return level >= WARN ? 'warn' : 'info';
  }
  const word = String(level).toLowerCase();
  if (word === 'error' || word === 'fatal' || word === 'panic') return 'error';
  return word === 'warn' ? 'warn' : 'info';
}

/** A statement that fails is its caller's business. */
function postgresLevel(word: string | undefined): LogLevel {
  if (word === 'PANIC') return 'error';
  return word === 'FATAL' ? 'warn' : 'info';
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}
