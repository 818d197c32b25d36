import type { MemberError } from './member-error.js';

/** One kind of error. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** When it is answered, and what it says about what was done. */
  readonly when: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** What an answer of this kind has besides, as it may look. */
  readonly example?: {
    readonly detail?: string;
    readonly errors?: readonly MemberError[];
    readonly members?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    /** Those of the headers that an answer of this kind may also lack. */
    readonly sometimes?: readonly string[];
  };
}
