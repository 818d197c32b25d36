import type { ProblemKind } from './problem-kind.js';

/** Every error of a request that cannot be read as one of ours. */
export const MALFORMED = {
  'key-missing': {
    status: 400,
    title: 'Idempotency-Key is missing',
    when: 'A POST under /v1 came without the header. Nothing was done.',
    remedy: 'Send an Idempotency-Key of your own with every POST, the same one on every retry.',
  },
  'key-malformed': {
    status: 400,
    title: 'Idempotency-Key is malformed',
    when:
      'The header is empty, longer than 255 characters, sent twice, holds what is not printable ' +
      'ASCII, or has a comma, a semicolon or a quote without being quoted. Nothing was done.',
    remedy:
      'Send one Idempotency-Key header of 1 to 255 printable ASCII characters; between quotes, ' +
      'if there is a comma, a semicolon or a quote among them.',
  },
  'request-malformed': {
    status: 400,
    title: 'The request is not well-formed HTTP',
    when:
      'The request could not be read as HTTP: a broken request line or header, no Host, a URL ' +
      'with a broken escape.',
    remedy: 'Check the request line, the URL and the header fields.',
  },
  'body-malformed': {
    status: 400,
    title: 'The body is not well-formed JSON',
    when: 'The body is cut off, is not JSON, or is not UTF-8. Nothing was done.',
    remedy: 'Send one JSON document, encoded as UTF-8 without a byte order mark.',
  },
  'body-invalid': {
    status: 400,
    title: 'The body does not match the schema',
    when:
      'The body is JSON, but a member is missing, unknown, doubled, of the wrong type or out of ' +
      'its bounds. Nothing was done, and the Idempotency-Key is still free.',
    remedy: 'Correct the members that `errors` points to.',
    example: {
      detail: 'payment.amount must be a whole number of minor units, such as 240000 for 2,400.00.',
      errors: [{ pointer: '/payment/amount', code: 'wrong-type' }],
    },
  },
  'too-deep': {
    status: 400,
    title: 'The body is nested too deeply',
    when: 'Objects and arrays lie in one another more than 32 levels deep.',
    remedy: 'Nest objects and arrays no deeper than 32 levels.',
  },
  'query-invalid': {
    status: 400,
    title: 'The query does not match the schema',
    when:
      'A parameter of the query is unknown, of the wrong form or out of its bounds, or a cursor ' +
      'belongs to another list.',
    remedy: 'Correct the parameters that `errors` points to; take cursors as they were given.',
    example: {
      detail: 'limit must be a whole number from 1 to 100.',
      errors: [{ pointer: '/limit', code: 'too-big' }],
    },
  },
  'version-unknown': {
    status: 400,
    title: 'There is no such version of the interface',
    when: 'The Recourse-Version header names a version that there is not. Nothing was done.',
    remedy: 'Leave Recourse-Version out, or send a version that an answer has named.',
  },
  'last-event-unknown': {
    status: 400,
    title: 'Last-Event-ID names no event of this stream',
    when: 'The Last-Event-ID header is not the id of an event that this very stream has sent.',
    remedy: 'Send the `id` of the last event as it came, or no Last-Event-ID to begin anew.',
  },
  'deadline-malformed': {
    status: 400,
    title: 'Recourse-Deadline is no time',
    when: 'The Recourse-Deadline header is not one time as RFC 3339 writes it. Nothing was done.',
    remedy: 'Send a time such as 2026-11-30T10:00:05.000Z, or no Recourse-Deadline.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;
