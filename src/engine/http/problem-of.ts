import { sqlState } from '../database/database.js';
import { isDatabaseUnavailable } from '../database/unavailable.js';
import { ClaimDaysMissing } from '../idempotency/claim-days.store.js';
import { UnknownSaga } from '../sagas.js';
import { Problem, type ProblemCode } from './problem.js';

/** What the framework answers by itself, by status. */
const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'request-malformed',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  406: 'not-acceptable',
  408: 'request-timeout',
  413: 'body-too-large',
  414: 'uri-too-long',
  415: 'media-type',
  431: 'headers-too-large',
  503: 'unavailable',
};

/** Raised by the trigger that gives a new run its place: see 0013_active_runs.sql. */
const NO_PLACE = 'RC001';
const RETRY_SOON = { headers: { 'Retry-After': '1' } };

/**
 * The problem that an error is answered with; null for one that is a bug, which is answered as
 * `internal` and logged. The words of a foreign error are never passed on.
 */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (sqlState(error) === NO_PLACE) {
    return new Problem('rate-limited', {
      detail: 'The account has as many active runs as it may have.',
      members: { limited_by: 'active-runs' },
      headers: { 'Retry-After': '5' },
      turnedAway: 'active-runs',
    });
  }
  if (isDatabaseUnavailable(error)) return new Problem('unavailable', RETRY_SOON);
  // A key that cannot be found may have been used, so none is taken.
  if (error instanceof ClaimDaysMissing) return new Problem('unavailable', RETRY_SOON);
  // As after a deployment was taken back: an API that has the version can answer.
  if (error instanceof UnknownSaga) return new Problem('unavailable', RETRY_SOON);
  const status = statusOf(error);
  if (status === null) return null;
  const code = BY_STATUS[status] ?? (status < 500 ? 'request-malformed' : null);
  if (code === null) return null;
  return new Problem(code, code === 'unavailable' ? RETRY_SOON : {});
}

/** The status that an error of Nest or Fastify carries. */
function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('statusCode' in error && typeof error.statusCode === 'number') return error.statusCode;
  // Nest's own exceptions keep it under another name.
  return 'status' in error && typeof error.status === 'number' ? error.status : null;
}
