/** A held answer costs a connection; proxies in front give up after a minute. */
export const WAIT_LIMIT_S = 30;

/** One preference of RFC 7240: a token, perhaps with a token or a quoted string as its value. */
const WAIT = /^wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?:;.*)?$/i;

/**
 * The seconds that `Prefer: wait=N` asks for, at most 30; null when the header does not ask. As
 * RFC 7240 says, a preference that cannot be read is ignored, and the first of two counts.
 */
export function waitSeconds(header: string | undefined): number | null {
  for (const preference of (header ?? '').split(',')) {
    const match = WAIT.exec(preference.trim());
    if (match !== null) return Math.min(Number(match[1] ?? match[2]), WAIT_LIMIT_S);
  }
  return null;
}
