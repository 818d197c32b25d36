import { sqlState } from './database.js';

/**
 * Connection exceptions, insufficient resources, operator intervention (shutdown, starting up,
 * statement cancelled), errors of the machine; a lock that was not got in time, a transaction that
 * idled too long, and one that lost against others each time it was tried.
 */
const SQL_STATES = /^(?:08|53|57|58)...$|^(?:55P03|25P03|40001|40P01)$/;
const READ_ONLY = '25006';

const ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** How the client library begins when a connection fails under it: it gives these no code. */
const CLIENT_WORDS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
];

/** Whether a statement was refused because its transaction may only read. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/**
 * Whether an error says that the database cannot be reached, does not answer in time, or cannot do
 * it for now, rather than that a statement is wrong. Nothing was committed, unless the connection
 * broke during the commit.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== undefined && (SQL_STATES.test(state) || state === READ_ONLY)) return true;
  if ('code' in error) return typeof error.code === 'string' && ERRNOS.has(error.code);
  return CLIENT_WORDS.some((words) => error.message.startsWith(words));
}
