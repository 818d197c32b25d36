import { nameAndCode, type Logger } from './logger.js';

/** What is said of something that can be lost and come back, such as Postgres. */
export interface ChangeLog {
  /** It works. */
  up(): void;
  /** It failed with this. */
  down(error: unknown): void;
}

/**
 * Logs a state when it differs from the one before, and is silent while it lasts: an outage of an
 * hour is two lines, not thousands. It begins as working, of which nothing is said.
 */
export function logChanges(log: Logger, subject: string): ChangeLog {
  let last = 'up';
  return {
    up() {
      if (last === 'up') return;
      last = 'up';
      log.info('works again', { subject, state: 'up' });
    },
    down(error) {
      const { name, code = '' } = nameAndCode(error);
      const state = `${name} ${code}`;
      if (last === state) return;
      last = state;
      log.warn('does not work, will be tried until it does', { subject, state: 'down', error });
    },
  };
}
