import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

/** What a caller saw of its request: an answer, or how it broke. */
export interface Seen {
  /** Null when no answer began. */
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  /** What arrived of the body. */
  readonly text: string;
  /** Null when the answer is whole; else `timeout`, `ECONNRESET`, … */
  readonly broken: string | null;
  readonly ms: number;
}

export interface ProviderCall {
  readonly method?: string;
  /** Sent as Idempotency-Key, and as the `reference` of a body that is an object. */
  readonly key?: string;
  readonly deadline?: string;
  readonly body?: Readonly<Record<string, unknown>> | string;
  readonly timeoutMs?: number;
}

/** Far from any test's end. */
export const FAR_DEADLINE = '2100-01-01T00:00:00.000Z';

/**
 * Sends one request on a connection of its own and tells exactly what came back. It speaks
 * `node:http`, so that resets and cut bodies are seen as they are.
 */
export function callProvider(url: string, call: ProviderCall = {}): Promise<Seen> {
  const { key, body, timeoutMs = 5_000 } = call;
  const method = call.method ?? (body === undefined ? 'GET' : 'POST');
  const payload =
    body === undefined || typeof body === 'string'
      ? body
      : JSON.stringify({ ...body, ...(key === undefined ? {} : { reference: key }) });
  const headers = {
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    'recourse-deadline': call.deadline ?? FAR_DEADLINE,
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const started = performance.now();
  return new Promise((resolve) => {
    const seen = { status: null as number | null, headers: {} as IncomingHttpHeaders, text: '' };
    const end = (broken: string | null) => {
      clearTimeout(timer);
      resolve({ ...seen, broken, ms: performance.now() - started });
    };
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      seen.status = response.statusCode ?? null;
      seen.headers = response.headers;
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (seen.text += chunk));
      response.on('end', () => end(null));
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    });
    const timer = setTimeout(() => {
      end('timeout');
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    outgoing.end(payload);
  });
}

/** The JSON of an answer. Throws, as a client would, when it is none. */
export function jsonOf(seen: Seen): Record<string, unknown> {
  return JSON.parse(seen.text) as Record<string, unknown>;
}

/** The code of a refusal, `{error: {code}}`, else undefined. */
export function codeOf(seen: Seen): unknown {
  return (jsonOf(seen).error as { code?: unknown } | undefined)?.code;
}
