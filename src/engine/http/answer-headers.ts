import { RECOURSE_VERSION } from './recourse-version.js';

/** A header of an answer, as the description tells it. */
interface AnswerHeader {
  readonly description: string;
  /** JSON Schema of its value; a number is read from its digits. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: string | number;
}

/**
 * Every header of ours that an answer can have, so that none is sent which is not described. What
 * HTTP itself sends (Date, Content-Length, Connection, …) is not listed.
 */
export const ANSWER_HEADERS = {
  'Request-Id': {
    description: 'The id of this request; quote it when you ask us about it.',
    schema: { type: 'string', format: 'uuid' },
    example: 'b8f7a3d2-6c41-4e0b-9a57-2f1d8c3e5a90',
  },
  'Cache-Control': {
    description: 'No answer is kept on its way.',
    schema: { const: 'no-store' },
    example: 'no-store',
  },
  'Recourse-Version': {
    description: 'The version of this interface that answered.',
    schema: { type: 'string', format: 'date' },
    example: RECOURSE_VERSION,
  },
  'Idempotency-Expires': {
    description: 'Until when the same Idempotency-Key gets this answer again.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-12-07T10:00:00.000Z',
  },
  'Idempotent-Replayed': {
    description: 'The request was answered before: this is that answer, and nothing was done now.',
    schema: { const: 'true' },
    example: 'true',
  },
  Location: {
    description: 'Where that which was made can be read.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/bookings/bk_abcdefghijklmnopqrstuvwxyz',
  },
  ETag: {
    description:
      'What was read, as it was: send it as If-Match with what you decide by it, or as ' +
      'If-None-Match to read only what has changed.',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"2"',
  },
  Vary: {
    description: 'The headers of the request that the answer depends on.',
    schema: { type: 'string' },
    example: 'Prefer',
  },
  'Preference-Applied': {
    description: 'The wish in Prefer that was heard (RFC 7240).',
    schema: { type: 'string', pattern: '^wait=\\d+$' },
    example: 'wait=10',
  },
  RateLimit: {
    description:
      'Of the requests that the account may make, `r` are left for the next `t` seconds, as far ' +
      'as the process knows (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', pattern: '^"(reads|writes)";r=\\d+;t=\\d+$' },
    example: '"writes";r=9941;t=7',
  },
  'RateLimit-Policy': {
    description: 'The account may make `q` such requests in `w` seconds, over all processes.',
    schema: { type: 'string', pattern: '^"(reads|writes)";q=\\d+;w=\\d+$' },
    example: '"writes";q=10000;w=10',
  },
  'Retry-After': {
    description: 'After how many seconds to ask again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to say who you are.',
    schema: { const: 'Bearer' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path has.',
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
    example: 'GET, HEAD, POST',
  },
  'Content-Security-Policy': {
    description: 'What a page may load.',
    schema: { type: 'string' },
    example: "default-src 'none'",
  },
  'X-Content-Type-Options': {
    description: 'The type of a page is the one that is said.',
    schema: { const: 'nosniff' },
    example: 'nosniff',
  },
  'X-Accel-Buffering': {
    description: 'A proxy on the way passes each event on as it comes.',
    schema: { const: 'no' },
    example: 'no',
  },
} as const satisfies Readonly<Record<string, AnswerHeader>>;

export type HeaderName = keyof typeof ANSWER_HEADERS;

const OF_EVERY_ANSWER: readonly HeaderName[] = ['Request-Id', 'Cache-Control', 'Recourse-Version'];
/** Where only some origins may ask from a browser. */
const OF_ANY_ANSWER: readonly HeaderName[] = ['Vary'];
/** The name of the component of a header that the answer may also lack. */
const SOMETIMES = '.sometimes';

/** The headers of an answer: those that it always has, and those that it may have. */
export interface HeadersOfAnswer {
  readonly always: Iterable<HeaderName>;
  readonly sometimes: Iterable<HeaderName>;
}

/** The headers of one answer for OpenAPI, those of every answer among them. */
export function describeHeaders(of: HeadersOfAnswer): Readonly<Record<string, object>> {
  const always = new Set([...OF_EVERY_ANSWER, ...of.always]);
  const may = new Set([...of.sometimes, ...OF_ANY_ANSWER]);
  const sometimes = [...may].filter((name) => !always.has(name));
  return Object.fromEntries([
    ...[...always].map((name) => [name, refTo(name)] as const),
    ...sometimes.map((name) => [name, refTo(name + SOMETIMES)] as const),
  ]);
}

/** What `describeHeaders` has referred to in `described`: headers that must be there, or may be. */
export function headerComponents(described: unknown): Readonly<Record<string, object>> {
  const text = JSON.stringify(described);
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS)
      .flatMap(([name, header]): [string, object][] => [
        [name, { ...header, required: true }],
        [name + SOMETIMES, header],
      ])
      .filter(([component]) => text.includes(`"${refTo(component).$ref}"`)),
  );
}

/** Whether a word is the name of a header that is described, as it is written there. */
export function isHeaderName(word: string): word is HeaderName {
  return Object.hasOwn(ANSWER_HEADERS, word);
}

const refTo = (component: string) => ({ $ref: `#/components/headers/${component}` });
