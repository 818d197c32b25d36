import type { CallDefinition } from './definition.js';
import { sayAttempts, sayMs } from './say-call.js';
import type { Direction } from './step-key.js';

/** `The deadline is 20 min instead of 15 min.`; nothing where both are the same. */
export function insteadOf(begin: string, was: string, is: string): string[] {
  return was === is ? [] : [`${begin} ${is} instead of ${was}.`];
}

/** A length of time that may be without a limit. */
export function sayLimit(ms: number | null): string {
  return ms === null ? 'none' : sayMs(ms);
}

/** What one call, forward or undo, is now and was; `of` is how a sentence about it begins. */
export function callChanges(
  of: string,
  direction: Direction,
  was: CallDefinition,
  is: CallDefinition,
): string[] {
  const attempts = [was, is].map(({ retry }) => sayAttempts(retry, direction)) as [string, string];
  return [
    ...insteadOf(`${of}: it calls`, was.run, is.run),
    ...insteadOf(`${of}: an unknown outcome is met with`, sayAnswer(was), sayAnswer(is)),
    ...insteadOf(`${of}: the reason for that is`, sayWhy(was), sayWhy(is)),
    ...insteadOf(`${of}: the attempts are`, ...attempts),
    ...insteadOf(`${of}: an attempt is given up after`, sayMs(was.timeoutMs), sayMs(is.timeoutMs)),
    ...retryChanges(of, was, is),
  ];
}

function retryChanges(of: string, { retry: was }: CallDefinition, { retry: is }: CallDefinition) {
  return [
    ...insteadOf(`${of}: the first wait is up to`, sayMs(was.firstDelayMs), sayMs(is.firstDelayMs)),
    ...insteadOf(`${of}: no wait is longer than`, sayMs(was.capMs), sayMs(is.capMs)),
    ...insteadOf(
      `${of}: the limit from the first attempt to the beginning of another is`,
      sayLimit(was.withinMs),
      sayLimit(is.withinMs),
    ),
  ];
}

function sayAnswer({ whenUnknown, find }: CallDefinition): string {
  return find === null ? whenUnknown : `${whenUnknown} and ${find}`;
}

function sayWhy({ why }: CallDefinition): string {
  return why === null ? 'none' : `"${why}"`;
}
