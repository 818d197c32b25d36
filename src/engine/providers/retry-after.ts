import { LONGEST_RETRY_AFTER_MS } from '../saga/retry-policy.js';

/** The one form of date that HTTP still sends (RFC 9110, section 5.6.7, IMF-fixdate). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a Retry-After header: whole seconds or an HTTP-date, as milliseconds from `now`, capped.
 * Undefined for what is neither, and for a wait of nothing: then our own back-off decides, so that
 * no answer can make us call again at once.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const waitMs = askedForMs(header?.trim() ?? '', now);
  return waitMs > 0 ? Math.min(waitMs, LONGEST_RETRY_AFTER_MS) : undefined;
}

/** Milliseconds, 0 or less for a wait that is over, NaN for garbage. */
function askedForMs(text: string, now: Date): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (HTTP_DATE.test(text)) return Date.parse(text) - now.getTime();
  return Number.NaN;
}
