import { createHash } from 'node:crypto';

import type { Route } from './operations.js';
import { findRoute, PROVIDERS } from './operations.js';
import type { Provider } from './world/world.js';

/** One HTTP request as it came off the wire. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Null: larger than the limit, so not kept. */
  readonly body: Uint8Array | null;
}

/** What can be said of a request to a provider before anybody judges it: this goes on record. */
export interface Incoming {
  readonly provider: Provider;
  readonly route: Route | null;
  /** The id in the path, or an empty string. */
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly query: URLSearchParams;
  readonly key: string | null;
  readonly deadline: string | null;
  /** The body's own reference, else the query's, else the key (a DELETE has nothing else). */
  readonly reference: string | null;
  /** sha256 of the body with its members sorted; of the bytes themselves when it is not JSON. */
  readonly bodyHash: string | null;
  /** Parsed; the text itself when it is not JSON; null when absent or too large. */
  readonly body: unknown;
  readonly bodyState: 'absent' | 'json' | 'not_json' | 'too_large';
}

/** Splits `/payments/charges` into the provider and the path below its prefix, else null. */
export function providerOf(path: string): { provider: Provider; rest: string } | null {
  for (const provider of PROVIDERS) {
    const prefix = `/${provider}`;
    if (path.startsWith(`${prefix}/`)) return { provider, rest: path.slice(prefix.length) };
  }
  return null;
}

/** Reads a request to a provider without judging it; null when it is not for a provider. */
export function readIncoming(raw: RawRequest): Incoming | null {
  const { path, query } = splitTarget(raw.target);
  const target = providerOf(path);
  if (target === null) return null;
  const found = findRoute(target.provider, raw.method, target.rest);
  const key = headerOf(raw, 'idempotency-key');
  const { body, bodyState, bodyHash } = readBody(raw.body);
  return {
    provider: target.provider,
    route: found?.route ?? null,
    id: found?.id ?? '',
    method: raw.method,
    target: raw.target,
    query,
    key,
    deadline: headerOf(raw, 'recourse-deadline'),
    reference: memberOf(body, 'reference') ?? query.get('reference') ?? key,
    body,
    bodyState,
    bodyHash,
  };
}

/** Path and query of a request target; a target is never a whole URL here. */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)) };
}

/** Reads a body as JSON, and says so when it is none. */
export function readBody(
  bytes: Uint8Array | null,
): Pick<Incoming, 'body' | 'bodyState' | 'bodyHash'> {
  if (bytes === null) return { body: null, bodyState: 'too_large', bodyHash: null };
  if (bytes.length === 0) return { body: null, bodyState: 'absent', bodyHash: null };
  const text = new TextDecoder().decode(bytes);
  try {
    const body: unknown = JSON.parse(text);
    return { body, bodyState: 'json', bodyHash: sha256(JSON.stringify(sorted(body))) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { body: text, bodyState: 'not_json', bodyHash: sha256(bytes) };
  }
}

// The order of members carries no meaning, and a caller that was restarted may send another.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, member]) => [name, sorted(member)]) };
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function headerOf(raw: RawRequest, name: string): string | null {
  const value = raw.headers[name];
  return typeof value === 'string' ? value : null;
}

function memberOf(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown = Object.entries(body).find(([member]) => member === name)?.[1];
  return typeof value === 'string' ? value : null;
}
