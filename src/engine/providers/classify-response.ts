import type { ZodType } from 'zod';
import {
  again,
  cannotTell,
  done,
  found,
  refused,
  unknown,
  type Finding,
  type Outcome,
} from '../saga/outcome.js';
import type { Answer, Answered } from './answer.js';

/** One row of a provider's table: an answer, and what it means for the call. */
export interface AnswerRow {
  readonly status: number;
  /** The row holds only for this error code of the provider; left out: for any and none. */
  readonly code?: string;
  /** The row holds only where some error code could be read. */
  readonly needsCode?: true;
  readonly means: 'done' | 'refused' | 'again' | 'unknown';
  /** Our word for the record; left out: the provider's code, else `http-<status>`. */
  readonly as?: string;
}

/** First match wins. A provider's own rows stand before the common ones. */
export type AnswerTable = readonly AnswerRow[];

/**
 * What a status means at a provider that has promised nothing more. `refused` and `again` are for
 * statuses that are decided before any work is done; whatever stands in no row is `unknown`.
 *
 * - 202 and 204 say that something was taken in, not what became of it.
 * - 401 and 403 speak of *our* key, not of the customer. Nothing happened, and calling again with
 *   the same key cannot help (S8), so they are refusals: a step unwinds, an undo becomes a case at
 *   once, because only a person can mend a key. They get words of our own, so that nobody reads
 *   them as a decline.
 * - 404 is a refusal: what we named is not there, so nothing was done to it.
 * - 409 is a refusal only with a code: without one it may as well be our own first request, which
 *   is still at work.
 * - 410 is certain only as `deadline_passed`: the provider looked at `Recourse-Deadline`.
 * - 408, 3xx and 5xx may come from a gateway that had passed the request on: unknown.
 */
export const COMMON_ANSWERS: AnswerTable = [
  { status: 200, means: 'done' },
  { status: 201, means: 'done' },
  { status: 202, means: 'unknown', as: 'only-accepted' },
  { status: 204, means: 'unknown', as: 'no-content' },
  { status: 400, means: 'refused' },
  { status: 401, means: 'refused', as: 'our-key-rejected' },
  { status: 402, means: 'refused' },
  { status: 403, means: 'refused', as: 'our-key-forbidden' },
  { status: 404, means: 'refused' },
  { status: 409, needsCode: true, means: 'refused' },
  { status: 410, code: 'deadline_passed', means: 'again', as: 'deadline-passed' },
  { status: 422, means: 'refused' },
  { status: 429, means: 'again' },
];

/**
 * Says what an answer means for the call it answers, without reading the value: `done` carries the
 * JSON as it came, null where the body was empty. Pure. `own` are the provider's rows for this
 * operation; they win over the common ones.
 */
export function classify(answer: Answer, own: AnswerTable = []): Outcome<unknown> {
  switch (answer.kind) {
    case 'not-sent':
      return again(answer.reason);
    case 'lost':
      return unknown(answer.cause);
    case 'answered':
      return classifyAnswered(answer, [...own, ...COMMON_ANSWERS]);
  }
}

function classifyAnswered(answer: Answered, table: AnswerTable): Outcome<unknown> {
  const code = errorCode(answer);
  const row = table.find(
    (candidate) =>
      candidate.status === answer.status &&
      (candidate.code === undefined || candidate.code === code) &&
      (candidate.needsCode === undefined || code !== null),
  );
  const word = row?.as ?? wordFor(answer, code);
  switch (row?.means) {
    case 'done':
      return doneWith(answer);
    case 'refused':
      return refused(word);
    case 'again':
      return again(word, answer.retryAfterMs);
    case 'unknown':
    case undefined:
      return unknown(word, answer.retryAfterMs);
  }
}

/** A confirmation that cannot be read is no confirmation, and no refusal either. */
function doneWith({ body }: Answered): Outcome<unknown> {
  switch (body.kind) {
    case 'json':
      return done(body.value);
    case 'empty':
      return done(null);
    case 'unreadable':
      return unknown(body.why);
  }
}

function wordFor({ status }: Answered, code: string | null): string {
  if (status >= 300 && status < 400) return 'redirected';
  return status < 500 && code !== null ? code : `http-${status}`;
}

/**
 * Reads `{error: {code}}`. A code goes into histories, logs and answers to customers, so only a
 * word passes; prose, which may name a person or a card, is left out, not mended.
 */
function errorCode({ body }: Answered): string | null {
  if (body.kind !== 'json') return null;
  const code = memberOf(memberOf(body.value, 'error'), 'code');
  if (typeof code !== 'string') return null;
  const word = code.toLowerCase();
  return /^[a-z0-9_-]{1,64}$/.test(word) ? word : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/**
 * Classifies and reads the value. What the provider says is done, but cannot be read by `schema`,
 * is `unknown('unreadable')`: something took effect, and nobody can say what.
 */
export function readOutcome<Value>(
  answer: Answer,
  own: AnswerTable,
  schema: ZodType<Value>,
): Outcome<Value> {
  const outcome = classify(answer, own);
  if (outcome.kind !== 'done') return outcome;
  const read = schema.safeParse(outcome.value);
  return read.success ? done(read.data) : unknown('unreadable');
}

/**
 * Reads the answer to a question. Only a list that can be read says anything, an empty one too; a
 * refusal, our key's as well, says nothing about what we asked after: `cannot-tell`.
 */
export function readFinding<Value>(answer: Answer, schema: ZodType<Value>): Finding<Value> {
  const outcome = readOutcome(answer, [], schema);
  switch (outcome.kind) {
    case 'done':
      return found(outcome.value);
    case 'refused':
      return cannotTell(outcome.code);
    case 'again':
      return cannotTell(outcome.reason, outcome.afterMs);
    case 'unknown':
      return cannotTell(outcome.cause, outcome.afterMs);
  }
}
