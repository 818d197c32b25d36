import { randomUUID } from 'node:crypto';
import { ApiRefused } from './api-refusal.js';
import type { ApiTarget } from './choose-target.js';
import { CliFailure } from './cli-failure.js';

/** An answer of the API. Members that are not known here are kept. */
export interface ApiReply<Document> {
  readonly document: Document;
  readonly etag: string | null;
}

/** What an answer says of itself: `object`, or `list` for a page. */
export type Expected = 'run' | 'case' | 'action' | 'list';

/** The API as the verbs see it. */
export interface Api {
  /** Throws ApiRefused, or CliFailure when it does not answer or is not the API of Recourse. */
  get<Document>(path: string, expected: Expected): Promise<ApiReply<Document>>;
  /** Sends a POST under an Idempotency-Key of its own. Throws as `get`. */
  post<Document>(
    path: string,
    expected: Expected,
    request: { readonly body: unknown; readonly ifMatch?: string },
  ): Promise<ApiReply<Document>>;
}

/** The slowest read waits two seconds for a workflow. */
const TIME_OUT_MS = 10_000;

/** Speaks to one API as one caller. Sends each request once: who asks again is the person. */
export function openApi({ url, key }: ApiTarget): Api {
  const authorization = { Authorization: `Bearer ${key}`, Accept: 'application/json' };
  return {
    get: (path, expected) =>
      send(`${url}${path}`, expected, { method: 'GET', headers: authorization }),
    post: (path, expected, { body, ifMatch }) =>
      send(`${url}${path}`, expected, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          ...authorization,
          'Content-Type': 'application/json',
          'Idempotency-Key': `cli-${randomUUID()}`,
          ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
        },
      }),
  };
}

async function send<Document>(
  url: string,
  expected: Expected,
  init: RequestInit & { readonly method: string },
): Promise<ApiReply<Document>> {
  const request = `${init.method} ${url}`;
  // A key is sent to the address that was named, and to no other one that it points to.
  const bounded = {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIME_OUT_MS),
  } as const;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, bounded);
    text = await response.text();
  } catch (error) {
    throw new CliFailure(sayLost(request, error), { cause: error });
  }
  const body = parse(text);
  const { status, headers } = response;
  if (!response.ok) {
    throw new ApiRefused({ request, status, body, retryAfter: headers.get('retry-after') });
  }
  if (kindOf(body) !== expected) {
    throw new CliFailure(
      `${request} was answered with what is no ${expected}: ` +
        'look whether RECOURSE_URL names the API of Recourse',
    );
  }
  return { document: body as Document, etag: headers.get('etag') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('object' in body) return body.object;
  return 'data' in body && Array.isArray(body.data) ? 'list' : undefined;
}

/** Of a POST that was not answered nobody here knows whether it took effect. */
function sayLost(request: string, error: unknown): string {
  const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (cause?.code === 'ECONNREFUSED') {
    return `${request}: nothing listens there: start it (npm start), or set RECOURSE_URL`;
  }
  const what =
    name === 'TimeoutError'
      ? `no answer within ${TIME_OUT_MS / 1_000} s`
      : `the connection failed (${cause?.code ?? cause?.message ?? name})`;
  return request.startsWith('POST')
    ? `${request}: ${what}, so it may or may not have been taken: look before you repeat it`
    : `${request}: ${what}: look whether RECOURSE_URL is right and the API is ready (/readyz)`;
}
