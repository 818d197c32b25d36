import { createHash } from 'node:crypto';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import { scheduleOf, type Schedule } from '../../src/engine/testing/choices.js';
import { explore } from '../../src/engine/testing/explore.js';
import type { Invariant } from '../../src/engine/testing/invariant.js';
import { play } from '../../src/engine/testing/play-schedule.js';
import type { Played } from '../../src/engine/testing/played.js';

const FAULTS = 1;

/** What the kernel decides in every schedule of at most one fault: a line each, to be stored. */
export function decisionsOf(saga: SagaDefinition): string {
  const lines: string[] = [];
  const writesDown: Invariant = {
    name: 'is written down',
    broken: (played) => {
      lines.push(`${digestOf(played)} ${JSON.stringify(scheduleOf(played.choices))}`);
      return null;
    },
  };
  explore(saga, { faults: FAULTS, invariants: [writesDown] });
  return `${lines.join('\n')}\n`;
}

/** Its journal without times, in short. */
function digestOf({ written }: Played): string {
  const lines = written.map(({ line }) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !name.endsWith('_ms'))),
  );
  return createHash('sha256').update(JSON.stringify(lines)).digest('hex').slice(0, 16);
}

/**
 * Compares what the kernel decides for a released version with what it decided when that was
 * released. Throws when it is something else; says where, and what to do.
 */
export function checkDecisions(saga: SagaDefinition, stored: string): void {
  const schedules = stored.trimEnd().split('\n').map(readLine);
  const others = schedules.filter(({ digest, schedule }) => decided(saga, schedule) !== digest);
  const [first] = others;
  if (first === undefined) return;
  const { name, version, rules } = saga;
  throw new Error(
    [
      `The kernel decides otherwise than when ${name} version ${version} was released, in`,
      `${others.length} of ${schedules.length} schedules. There may be runs in the middle of it,`,
      'and they would go on by rules they were not begun under.',
      `Keep what was as rules ${rules}, and let the change be rules ${rules + 1}`,
      '(CONTRIBUTING.md, "A released version is frozen"). If it is only the explorer that plays',
      'otherwise, delete decisions.txt and run `npm run record:histories`.',
      `The first: ${JSON.stringify(first.schedule)}`,
      told(saga, first.schedule),
    ].join('\n'),
  );
}

function readLine(line: string): { readonly digest: string; readonly schedule: Schedule } {
  const space = line.indexOf(' ');
  return {
    digest: line.slice(0, space),
    schedule: JSON.parse(line.slice(space + 1)) as Schedule,
  };
}

/** Null: it does not come to that any more. */
function decided(saga: SagaDefinition, schedule: Schedule): string | null {
  try {
    return digestOf(play(saga, schedule).played);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function told(saga: SagaDefinition, schedule: Schedule): string {
  try {
    return play(saga, schedule).story;
  } catch (error) {
    return String(error);
  }
}
