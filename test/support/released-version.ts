import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import { fingerprintOf, type Sample } from '../../src/engine/saga/fingerprint.js';

/**
 * Compares a definition with the fingerprint that was stored when it was released.
 * @throws when it was edited since; says what is different and what to do instead.
 */
export function checkReleased(
  definition: SagaDefinition,
  samples: readonly Sample[],
  stored: string,
): void {
  const now = fingerprintOf(definition, samples).trimEnd().split('\n');
  const then = stored.trimEnd().split('\n');
  const at = Array.from({ length: Math.max(now.length, then.length) }, (_, index) => index).find(
    (index) => now[index] !== then[index],
  );
  if (at === undefined) return;
  const { name, version } = definition;
  throw new Error(
    [
      `${name} version ${version} was edited. A released version is never edited: there may be`,
      'runs in the middle of it, and they would go on by rules they were not begun under.',
      `Put the file of version ${version} back as it was, and write the change as version`,
      `${version + 1} in a file beside it (CONTRIBUTING.md, "A released version is frozen").`,
      `The first difference is in line ${at + 1} of its fingerprint:`,
      `  released: ${then[at] ?? '(nothing)'}`,
      `  now:      ${now[at] ?? '(nothing)'}`,
    ].join('\n'),
  );
}
