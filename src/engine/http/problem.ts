import type { MemberError } from './member-error.js';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** What the caller can do about it; shown at `/problems/<code>`. */
  readonly remedy: string;
}

/**
 * Every error that the API answers. Closed: a client may switch over these codes, so one may be
 * added and none changed.
 */
export const PROBLEMS = {
  'key-missing': {
    status: 400,
    title: 'Idempotency-Key is missing',
    remedy: 'Send an Idempotency-Key of your own with every POST, the same one on every retry.',
  },
  'key-malformed': {
    status: 400,
    title: 'Idempotency-Key is malformed',
    remedy: 'Send one Idempotency-Key header of 1 to 255 printable ASCII characters.',
  },
  'request-malformed': {
    status: 400,
    title: 'The request is not well-formed HTTP',
    remedy: 'Check the request line, the URL and the header fields.',
  },
  'body-malformed': {
    status: 400,
    title: 'The body is not well-formed JSON',
    remedy: 'Send one JSON document, encoded as UTF-8 without a byte order mark.',
  },
  'body-invalid': {
    status: 400,
    title: 'The body does not match the schema',
    remedy: 'Correct the members that `errors` points to.',
  },
  'too-deep': {
    status: 400,
    title: 'The body is nested too deeply',
    remedy: 'Nest objects and arrays no deeper than 32 levels.',
  },
  'query-invalid': {
    status: 400,
    title: 'The query does not match the schema',
    remedy: 'Correct the parameters that `errors` points to; take cursors as they were given.',
  },
  unauthenticated: {
    status: 401,
    title: 'No valid API key',
    remedy: 'Send `Authorization: Bearer <key>` with a key that is not revoked.',
  },
  forbidden: {
    status: 403,
    title: 'The API key has not the role for this',
    remedy: 'Use a key with the role `operator`.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing here',
    remedy: 'Check the path and the id; ids of other accounts are not found either.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  'not-acceptable': {
    status: 406,
    title: 'The answer is JSON only',
    remedy: 'Accept application/json, or leave the Accept header out.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    remedy: 'Send the request again, with the same Idempotency-Key.',
  },
  'in-progress': {
    status: 409,
    title: 'A request with this Idempotency-Key is being worked on',
    remedy: 'Wait as long as Retry-After says and send the same request again.',
  },
  'reference-in-use': {
    status: 409,
    title: 'There is a booking with this reference already',
    remedy: 'Look at the booking named in `in_use_by`, or choose another reference.',
  },
  'pivot-in-progress': {
    status: 409,
    title: 'The step that cannot be undone is in progress',
    remedy: 'Wait as long as Retry-After says and ask again.',
  },
  'past-pivot': {
    status: 409,
    title: 'The booking is confirmed and cannot be cancelled this way',
    remedy: 'The ticket is issued, and nothing is undone by itself any more: ask us.',
  },
  'already-ended': {
    status: 409,
    title: 'It has ended already',
    remedy: 'Read it to see how it ended.',
  },
  'case-resolved': {
    status: 409,
    title: 'The case is closed already',
    remedy: 'Read the case to see what was decided.',
  },
  'changed-since-you-looked': {
    status: 412,
    title: 'The case has changed since it was read',
    remedy: 'Read the case again and send its new ETag as If-Match.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    remedy: 'Send at most 131,072 bytes.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    remedy: 'Send a shorter URL.',
  },
  'media-type': {
    status: 415,
    title: 'The media type of the body is not supported',
    remedy: 'Send Content-Type: application/json in UTF-8, without a Content-Encoding.',
  },
  'key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new request, and the same body for a retry.',
  },
  'if-match-missing': {
    status: 428,
    title: 'If-Match is missing',
    remedy: 'Read the case and send its ETag as If-Match.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait as long as Retry-After says.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The header fields are too large',
    remedy: 'Send fewer or shorter header fields.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    remedy:
      'Send the same request again with the same Idempotency-Key; quote the request_id to us.',
  },
  overloaded: {
    status: 503,
    title: 'Too much work at the moment',
    remedy: 'Wait as long as Retry-After says; nothing was done.',
  },
  unavailable: {
    status: 503,
    title: 'Something the answer needs is not available',
    remedy: 'Send the same request again with the same Idempotency-Key after Retry-After.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemDetails {
  /** One sentence about this occurrence. It never quotes what the caller sent. */
  readonly detail?: string;
  readonly errors?: readonly MemberError[];
  /** Further members of the document, such as the id that is in the way. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown to answer a request with an error; what was done in its transaction is rolled back. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly details: ProblemDetails = {},
  ) {
    super(details.detail ?? PROBLEMS[code].title);
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** Whether a word is one of the codes. */
export function isProblemCode(word: string): word is ProblemCode {
  return Object.hasOwn(PROBLEMS, word);
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The document of RFC 9457 for one problem. */
export function problemDocument(
  problem: Problem,
  about: { readonly publicUrl: string; readonly requestId: string },
): Readonly<Record<string, unknown>> {
  const { detail, errors, members } = problem.details;
  return {
    ...members,
    type: `${about.publicUrl}/problems/${problem.code}`,
    code: problem.code,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: detail ?? PROBLEMS[problem.code].remedy,
    request_id: about.requestId,
    ...(errors === undefined ? {} : { errors }),
  };
}
