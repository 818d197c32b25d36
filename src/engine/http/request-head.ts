const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** A request target as a path, also where it came in the form for proxies (RFC 9112, 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(ABSOLUTE, '');
  if (path === target) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

/** Two of them would be read by somebody on the way as the first, by somebody as the last. */
const SINGLE = { host: 'Host', authorization: 'Authorization', 'content-type': 'Content-Type' };
type Single = keyof typeof SINGLE;
const SHORTEST = 4;
const LONGEST = 13;

/**
 * The name of a header that must not be there twice and is, of those that Node takes the first of
 * without a word; null when there is none. `raw` is names and values in turn, as they came.
 */
export function doubledHeader(raw: readonly string[]): string | null {
  const seen = new Set<Single>();
  for (let at = 0; at < raw.length; at += 2) {
    const { length } = raw[at] ?? '';
    if (length < SHORTEST || length > LONGEST) continue;
    const name = (raw[at] ?? '').toLowerCase();
    if (!isSingle(name)) continue;
    if (seen.has(name)) return SINGLE[name];
    seen.add(name);
  }
  return null;
}

const isSingle = (name: string): name is Single => Object.hasOwn(SINGLE, name);
