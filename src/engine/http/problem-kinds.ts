import { MALFORMED } from './malformed-problems.js';
import type { ProblemKind } from './problem-kind.js';

export type { ProblemKind } from './problem-kind.js';

const RETRY_AFTER = { 'Retry-After': '1' };

/**
 * Every error that the API answers, as `/problems` explains it. Closed: a client may switch over
 * these codes, so one may be added and none changed.
 */
export const PROBLEMS = {
  ...MALFORMED,
  unauthenticated: {
    status: 401,
    title: 'No valid API key',
    when:
      'There is no Authorization header, or its key is unknown, revoked or expired; which of ' +
      'them is not told.',
    remedy: 'Send `Authorization: Bearer <key>` with a key that is valid.',
    example: { headers: { 'WWW-Authenticate': 'Bearer' } },
  },
  forbidden: {
    status: 403,
    title: 'The API key has not the role for this',
    when: 'The key is valid, but a customer’s, and only operators may do this.',
    remedy: 'Use a key with the role `operator`.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing here',
    when:
      'The path leads nowhere, or no object of this id belongs to the account. A quote is also ' +
      'not found under a token that is wrong, over, used already or of another quote.',
    remedy:
      'Check path and id; ids of other accounts are not found either. Where a token was sent, ' +
      'ask for a new quote.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    when: 'The path exists, but not under this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
    example: { headers: { Allow: 'GET, POST' } },
  },
  'not-acceptable': {
    status: 406,
    title: 'The answer is of another media type',
    when:
      'The Accept header leaves out what there is: JSON under /v1, and for a stream of events ' +
      'text/event-stream.',
    remedy: 'Accept application/json, for a stream text/event-stream, or leave the header out.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    when: 'Headers or body were not complete within the time that the server waits for them.',
    remedy: 'Send the request again, with the same Idempotency-Key.',
  },
  'in-progress': {
    status: 409,
    title: 'A request with this Idempotency-Key is being worked on',
    when:
      'The same Idempotency-Key is being worked on at this moment, by an earlier try of yours ' +
      'that has not been answered yet.',
    remedy: 'Wait as long as Retry-After says and send the same request again.',
    example: { headers: RETRY_AFTER },
  },
  'reference-in-use': {
    status: 409,
    title: 'There is a booking with this reference already',
    when:
      'A booking of this account has the same reference and may still need it: it goes on, was ' +
      'confirmed, or was closed with something remaining. A booking that failed or was ' +
      'cancelled does not count.',
    remedy: 'Look at the booking named in `in_use_by`, or choose another reference.',
    example: { members: { in_use_by: 'bk_abcdefghijklmnopqrstuvwxyz' } },
  },
  'pivot-in-progress': {
    status: 409,
    title: 'The step that cannot be undone is in progress',
    when:
      'A cancel came while the step that cannot be undone was with its provider. In a moment it ' +
      'is known which of the two was first.',
    remedy: 'Wait as long as Retry-After says and ask again.',
    example: { headers: RETRY_AFTER },
  },
  'past-pivot': {
    status: 409,
    title: 'The booking is confirmed and cannot be cancelled this way',
    when:
      'A cancel, or the wish to have one quoted, came after the step that cannot be undone took ' +
      'effect.',
    remedy: 'The ticket is issued, and nothing is undone by itself any more: ask us.',
    example: { members: { booking_status: 'confirmed' } },
  },
  'already-ended': {
    status: 409,
    title: 'It has ended already',
    when: 'A cancel, or another action, came after the booking or run had ended in another way.',
    remedy: 'Read it to see how it ended.',
    example: { members: { booking_status: 'failed' } },
  },
  'nothing-to-retry': {
    status: 409,
    title: 'Nothing waits for its time',
    when:
      'A run was told to retry now, but no attempt or question of it waits for its time: it goes ' +
      'on by itself, or a person must decide. Nothing was changed.',
    remedy: 'Read the run to see what it is doing; a verdict on its case makes it go on.',
    example: { members: { run_state: 'needs_reconciliation' } },
  },
  'call-in-progress': {
    status: 409,
    title: 'A call to a provider is on its way',
    when:
      'A run was to be abandoned while a call of it may still be sent: what would remain is not ' +
      'known yet. Nothing was changed.',
    remedy: 'Wait as long as Retry-After says and ask again.',
    example: {
      members: { until: '2026-11-30T10:00:10.000Z' },
      headers: { 'Retry-After': '8' },
    },
  },
  'case-resolved': {
    status: 409,
    title: 'The case is closed already',
    when:
      'Somebody else, or a fact that came late, has closed the case. Your verdict was not ' +
      'taken.',
    remedy: 'Read the case to see what was decided.',
  },
  'changed-since-you-looked': {
    status: 412,
    title: 'It has changed since it was read',
    when:
      'The case, run or booking is not as you read it: its ETag is another than in If-Match. Or ' +
      'a cancel would come to something else than was quoted. Nothing was changed.',
    remedy: 'Read it again and send its new ETag as If-Match, or ask for a new quote.',
    example: { headers: { ETag: '"2"' }, sometimes: ['ETag'] },
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    when: 'The body is larger than the server reads.',
    remedy: 'Send at most 131,072 bytes.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    when: 'The URL is longer than the server reads.',
    remedy: 'Send a shorter URL.',
  },
  'media-type': {
    status: 415,
    title: 'The media type of the body is not supported',
    when: 'The body is not declared as JSON, is in another charset than UTF-8, or is compressed.',
    remedy: 'Send Content-Type: application/json in UTF-8, without a Content-Encoding.',
  },
  'key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    when:
      'The Idempotency-Key has been used before, with another body, path or method. Nothing was ' +
      'done, and the first request stands.',
    remedy: 'Use a new key for a new request, and the same body for a retry.',
  },
  'if-match-missing': {
    status: 428,
    title: 'If-Match is missing',
    when: 'A verdict came without saying which state of the case it is about.',
    remedy: 'Read the case and send its ETag as If-Match.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    when:
      'The account has asked more often than it may, has as many active runs as it may have, or ' +
      'as many requests or streams at one API process; `limited_by` says which. Nothing was done.',
    remedy: 'Wait as long as Retry-After says, and send the same request again.',
    example: { members: { limited_by: 'writes' }, headers: RETRY_AFTER },
  },
  'headers-too-large': {
    status: 431,
    title: 'The header fields are too large',
    when: 'The header fields together are larger than the server reads.',
    remedy: 'Send fewer or shorter header fields.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    when:
      'A bug of ours. Nothing was done, or it was done whole: the same Idempotency-Key finds ' +
      'out which.',
    remedy:
      'Send the same request again with the same Idempotency-Key; quote the request_id to us.',
  },
  overloaded: {
    status: 503,
    title: 'Too much work at the moment',
    when:
      'The process, or what it works with, has more to do than it can in time, or the moment in ' +
      'Recourse-Deadline has passed. It was refused before anything was done.',
    remedy: 'Wait as long as Retry-After says, and send the same request again.',
    example: { headers: RETRY_AFTER },
  },
  unavailable: {
    status: 503,
    title: 'Something the answer needs is not available',
    when:
      'The database does not answer, a part that /readyz asks for is missing, this API lacks the ' +
      'version of the run, as after a deployment was taken back, or a provider does not say what ' +
      'a quote needs. Nothing was done, or it was done whole: the same Idempotency-Key finds out ' +
      'which.',
    remedy: 'Send the same request again with the same Idempotency-Key after Retry-After.',
    example: { headers: RETRY_AFTER },
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;
