import { ANSWER_HEADERS } from './answer-headers.js';

/** Whose pages may ask from a browser: any, or those of these origins; an empty list is nobody. */
export type AllowedOrigins = '*' | readonly string[];

type Headers = Readonly<Record<string, string>>;

/** As much of a request as the rules of browsers speak of. */
export interface CrossOriginRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What a page may read although browsers keep it back: every header of ours. */
const EXPOSED = Object.keys(ANSWER_HEADERS)
  .filter((name) => !/^(?:Cache-Control|Content-|X-)/.test(name))
  .join(', ');

const PREFLIGHT: Headers = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  // A `*` would leave out Authorization.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, ' +
    'Prefer, Recourse-Deadline, Recourse-Version',
  // Two hours: no browser keeps it longer.
  'Access-Control-Max-Age': '7200',
  // Safari waits for a body where there is no length.
  'Content-Length': '0',
};

/**
 * The headers by which a browser lets a page of another origin read an answer, a refusal too. Who
 * may do something is decided by the API key, which no browser sends by itself: so `*` lets nobody
 * in, and an origin that is not allowed is served like everybody else, only its page hears nothing.
 */
export function corsHeaders(allowed: AllowedOrigins, request: CrossOriginRequest): Headers {
  const { origin } = request.headers;
  const named = allowedName(allowed, origin);
  if (named === null) return {};
  return { 'Access-Control-Allow-Origin': named, 'Access-Control-Expose-Headers': EXPOSED };
}

/** What a preflight of an allowed origin is answered with; null when it is none. */
export function preflightHeaders(
  allowed: AllowedOrigins,
  request: CrossOriginRequest,
): Headers | null {
  const { origin, 'access-control-request-method': asked } = request.headers;
  if (request.method !== 'OPTIONS' || asked === undefined) return null;
  return allowedName(allowed, origin) === null ? null : PREFLIGHT;
}

/** The Vary header of an answer, with Origin in it where that decides what the answer has. */
export function varyFor(allowed: AllowedOrigins, vary: string | undefined): string | undefined {
  if (allowed === '*' || allowed.length === 0) return vary;
  return vary === undefined ? 'Origin' : `${vary}, Origin`;
}

function allowedName(
  allowed: AllowedOrigins,
  origin: string | readonly string[] | undefined,
): string | null {
  if (typeof origin !== 'string') return null;
  if (allowed === '*') return '*';
  return allowed.includes(origin) ? origin : null;
}
