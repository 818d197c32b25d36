import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** What makes two requests the same one. Whose they are is in the key of the claim's row. */
export interface FingerprintedRequest {
  readonly method: string;
  /** The path as it was sent: it names the route and the ids in it. */
  readonly path: string;
  readonly query: unknown;
  /** The body as strict JSON; undefined when there was none. */
  readonly body: unknown;
}

/**
 * The sha256 of a request in canonical JSON (RFC 8785): the order of members and white space make
 * no difference, everything else does. No Unicode normalisation. An empty body counts as `{}`.
 */
export function fingerprint(request: FingerprintedRequest): Buffer {
  const { method, path, query, body = {} } = request;
  const text = canonicalize({ method, path, query, body });
  if (text === undefined) throw new TypeError('a request is always a JSON value');
  return createHash('sha256').update(text, 'utf8').digest();
}
