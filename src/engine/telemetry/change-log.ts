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

/**
 * Logs which versions have living runs that this process cannot go on with, when they differ from
 * those before: after a roll-back that left runs behind, or while a roll-out has not come so far.
 */
export function logLacking(log: Logger): (runs: readonly { readonly version: string }[]) => void {
  let last = '';
  return (runs) => {
    const versions = runs.map(({ version }) => version).join(',');
    if (versions === last) return;
    last = versions;
    if (versions === '') log.info('has the version of every run that lives');
    else log.warn('lacks a version that runs live of, and cannot go on with them', { versions });
  };
}
