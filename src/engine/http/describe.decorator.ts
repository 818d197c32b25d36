import { ApiExtension } from '@nestjs/swagger';
import type { ProblemCode } from './problem.js';

/** Where the description of an operation keeps what it refuses with, until it is completed. */
export const REFUSES = 'x-refuses';
/** Where it keeps the examples of its body, until it is completed. */
export const BODY_EXAMPLES = 'x-body-examples';

/** Tells the description which problems an operation has, besides those of every such one. */
export const Refuses = (...codes: readonly ProblemCode[]): MethodDecorator =>
  ApiExtension(REFUSES, { codes });

/** Tells the description bodies that can be sent as they stand; the first one is shown first. */
export const BodyExamples = (
  examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>,
): MethodDecorator => ApiExtension(BODY_EXAMPLES, examples);
