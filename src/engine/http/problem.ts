import type { TurnedAway } from '../admission/turned-away.js';
import type { MemberError } from './member-error.js';
import { PROBLEMS, type ProblemKind } from './problem-kinds.js';

export { PROBLEMS } from './problem-kinds.js';

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemDetails {
  /** One sentence about this occurrence. It never quotes what the caller sent. */
  readonly detail?: string;
  readonly errors?: readonly MemberError[];
  /** Further members of the document, such as the id that is in the way. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Why a request that is not wrong was turned away: counted, and not told. */
  readonly turnedAway?: TurnedAway;
}

/** Thrown to answer a request with an error; what was done in its transaction is rolled back. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly details: ProblemDetails = {},
  ) {
    super(details.detail ?? PROBLEMS[code].title);
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** Whether a word is one of the codes. */
export function isProblemCode(word: string): word is ProblemCode {
  return Object.hasOwn(PROBLEMS, word);
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The document of RFC 9457 for one problem. */
export function problemDocument(
  problem: Problem,
  about: { readonly publicUrl: string; readonly requestId: string },
): Readonly<Record<string, unknown>> {
  const { detail, errors, members } = problem.details;
  return {
    ...members,
    type: `${about.publicUrl}/problems/${problem.code}`,
    code: problem.code,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: detail ?? PROBLEMS[problem.code].remedy,
    request_id: about.requestId,
    ...(errors === undefined ? {} : { errors }),
  };
}

const SAMPLE_REQUEST = 'b8f7a3d2-6c41-4e0b-9a57-2f1d8c3e5a90';

/** Whether every answer of this kind has a header that its example has. */
export function isAlwaysThere(code: ProblemCode, header: string): boolean {
  const { example }: ProblemKind = PROBLEMS[code];
  return example?.sometimes?.includes(header) !== true;
}

/** How an answer of this kind looks: its headers, and its body. */
export function exampleOf(
  code: ProblemCode,
  publicUrl: string,
): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
} {
  const { example = {} }: ProblemKind = PROBLEMS[code];
  const { headers = {}, sometimes: _sometimes, ...details } = example;
  return {
    headers: { 'Content-Type': PROBLEM_MEDIA_TYPE, ...headers },
    body: problemDocument(new Problem(code, details), { publicUrl, requestId: SAMPLE_REQUEST }),
  };
}
