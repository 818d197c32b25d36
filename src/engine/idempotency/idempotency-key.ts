import { parseItem } from 'structured-headers';
import { Problem } from '../http/problem.js';

const LENGTH_LIMIT = 255;
/**
 * A bare key: printable ASCII that begins and ends with no blank, without the three characters that
 * a structured field gives a meaning to: the comma of a list, the semicolon of a parameter, and the
 * quote. Two header lines arrive as one list, so they are refused by the comma.
 */
const BARE = /^[!#-+\--:<-~](?:[ !#-+\--:<-~]*[!#-+\--:<-~])?$/;

/** The header as it is described: a bare key, or a quoted one with its two escapes. */
export const KEY_PATTERN = [
  /^[!#-+\--:<-~](?:[ !#-+\--:<-~]{0,253}[!#-+\--:<-~])?$/,
  /^"(?! *"$)(?:[ !#-\x5b\x5d-~]|\\["\\]){1,255}"$/,
]
  .map(({ source }) => source)
  .join('|');

/**
 * The key in an Idempotency-Key header. A string of RFC 9651, `"k"`, and the bare `k` are the same
 * key. Throws Problem: key-missing, key-malformed.
 */
export function readIdempotencyKey(header: string | readonly string[] | undefined): string {
  if (header === undefined) throw new Problem('key-missing');
  const key = typeof header === 'string' ? parseKey(header) : null;
  if (key === null || key.length > LENGTH_LIMIT || key.trim() === '') {
    throw new Problem('key-malformed');
  }
  return key;
}

function parseKey(text: string): string | null {
  if (!text.startsWith('"')) return BARE.test(text) ? text : null;
  // The library skips blanks at the end; HTTP has taken away those of the line.
  if (!text.endsWith('"')) return null;
  try {
    // The library's own types need those of the DOM.
    const item: unknown = parseItem(text);
    const [value, parameters] = item as [unknown, ReadonlyMap<string, unknown>];
    return typeof value === 'string' && parameters.size === 0 ? value : null;
  } catch {
    return null;
  }
}
