import { ApiExtension } from '@nestjs/swagger';
import type { HeaderName } from './answer-headers.js';
import type { ProblemCode } from './problem.js';

/** Where the description of an operation keeps what it refuses with, until it is completed. */
export const REFUSES = 'x-refuses';
/** Where it keeps the examples of its body, until it is completed. */
export const BODY_EXAMPLES = 'x-body-examples';
/** Where it keeps that not every key may do it, until it is completed. */
export const NEEDS_ROLE = 'x-needs-role';
/** Where it keeps that it takes an If-Match, until it is completed. */
export const IF_MATCH = 'x-if-match';

/** Where it keeps what of its body a link takes from the answer before it. */
export const TAKEN_FROM_LINK = 'x-taken-from-link';
/** Where it keeps what its answers look like, until it is completed. */
export const ANSWERS = 'x-answers';

/** Bodies by a name of their own; the first one is shown first. */
export type Examples = Readonly<
  Record<string, { readonly summary: string; readonly value: unknown }>
>;

/** What the answers with a status 2xx have beside their schema. */
export interface AnswersForm {
  readonly examples: Examples;
  /** Headers that each of them has, beside those of every answer. */
  readonly always?: readonly HeaderName[];
  /** Headers that they may have. */
  readonly sometimes?: readonly HeaderName[];
  /** A browser gets a page in place of JSON. */
  readonly page?: boolean;
}

/** Tells the description which problems an operation has, besides those of every such one. */
export const Refuses = (...codes: readonly ProblemCode[]): MethodDecorator =>
  ApiExtension(REFUSES, { codes });

/** Tells the description bodies that can be sent as they stand; the first one is shown first. */
export const BodyExamples = (examples: Examples): MethodDecorator =>
  ApiExtension(BODY_EXAMPLES, examples);

/** Tells the description how the answers look that refuse nothing, headers included. */
export const Answers = (form: AnswersForm): MethodDecorator => ApiExtension(ANSWERS, form);

/**
 * Tells the description which members of a body stand in the answer that links to the operation.
 */
export const TakenFromLink = (...members: readonly string[]): MethodDecorator =>
  ApiExtension(TAKEN_FROM_LINK, { members });
