import { RecourseError } from '../saga/errors.js';

/**
 * Thrown at start for a `recourse.config.js` that cannot be used; its message is one line that says
 * what is wrong, where, and what to do. Whoever wrote the file mends it; nothing was begun.
 */
export class ConfigurationInvalid extends RecourseError {
  override readonly name = 'ConfigurationInvalid';
}
