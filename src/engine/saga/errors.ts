/**
 * What the engine throws when a person has made a mistake that a person must mend. What a provider
 * answers is never thrown: it is an outcome. The family is closed: each class says who throws it
 * and what to do, and nobody parses a message.
 */
export abstract class RecourseError extends Error {
  abstract override readonly name: string;
}

/**
 * Thrown where a saga is defined or registered, so before anything has run. The author mends the
 * definition; `path` says where (`['book-trip', 'charge', 'undo']`), `problem` what is wrong there.
 */
export class SagaDefinitionError extends RecourseError {
  override readonly name = 'SagaDefinitionError';

  constructor(
    readonly path: readonly string[],
    readonly problem: string,
  ) {
    super(`${path.join(' › ')}: ${problem}`);
  }
}
