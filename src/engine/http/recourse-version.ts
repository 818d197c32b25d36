import { Problem } from './problem.js';

/** The version of the HTTP interface: a date, so that it can be pinned per account. */
export const RECOURSE_VERSION = '2026-12-01';

/** Every version that can be answered with, the oldest first. */
export const RECOURSE_VERSIONS: readonly string[] = [RECOURSE_VERSION];

declare module 'fastify' {
  interface FastifyRequest {
    /** The version that the answer has; absent until it is known who asks. */
    recourseVersion?: string;
  }
}

/**
 * The version to answer with: the one that the request names, or else the one that the account is
 * pinned to. Throws Problem: version-unknown for one that there is not; unavailable where this API
 * is older than the pin, as after a deployment was taken back.
 */
export function answerAs(asked: string | readonly string[] | undefined, pinned: string): string {
  if (asked === undefined) {
    if (RECOURSE_VERSIONS.includes(pinned)) return pinned;
    throw new Problem('unavailable', { headers: { 'Retry-After': '1' } });
  }
  if (typeof asked === 'string' && RECOURSE_VERSIONS.includes(asked)) return asked;
  throw new Problem('version-unknown', {
    detail: `The versions of this interface are: ${RECOURSE_VERSIONS.join(', ')}.`,
  });
}
