import type { Body } from './answer.js';

/** What the two headers that describe a body said. */
export interface BodyHeaders {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** `application/json` and its family, in no other charset than UTF-8 (RFC 8259, section 8.1). */
const JSON_TYPE =
  /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/**
 * Reads a body as JSON, and only what says that it is JSON: an HTML page that a gateway sends with
 * status 200 is nobody's confirmation. Never throws.
 */
export function readBody(headers: BodyHeaders, bytes: Uint8Array): Body {
  if (bytes.byteLength === 0) return { kind: 'empty' };
  const encoding = headers.contentEncoding?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return { kind: 'unreadable', why: 'compressed' };
  if (!JSON_TYPE.test(headers.contentType?.trim() ?? '')) {
    return { kind: 'unreadable', why: 'not-json-type' };
  }
  const text = decoded(bytes);
  if (text === null) return { kind: 'unreadable', why: 'not-utf8' };
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'unreadable', why: 'not-json' };
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
