import type { SagaDefinition } from '../engine/saga/definition.js';
import {
  inOrder,
  sayExploration,
  sayResult,
  some,
  type Exploration,
} from '../engine/testing/exploration-page.js';
import type { Progress } from '../engine/testing/explore.js';
import type { Failure } from '../engine/testing/judge.js';
import { ENDINGS } from '../engine/testing/tally.js';
import { table } from './table.js';

/** What was tried and what came of it: a row for each fault of each call, then it in words. */
export function showExplored(saga: SagaDefinition, one: Exploration): string {
  const rows = inOrder(saga, one.tried).map(({ subject, fault, endings }) => [
    subject,
    fault,
    ...ENDINGS.map((ending) => (endings[ending] ?? 0).toLocaleString('en')),
  ]);
  const head = [
    'OF',
    'FAULT',
    ...ENDINGS.map((ending) => ending.replaceAll('_', ' ').toUpperCase()),
  ];
  return `${table(head, rows)}\n\n${sayExploration(saga, one)}\n${sayResult(one)}`;
}

/** The story of what broke a promise, and the same as a test. */
export function showFailure({ story, test }: Failure): string {
  return `\n${story}\n\nThe same as a test:\n\n${test}`;
}

/** How far an exploration is. */
export function sayProgress({ schedules, faults, share }: Progress, tookMs: number): string {
  const rate = Math.round((1_000 * schedules) / tookMs).toLocaleString('en');
  const percent = Math.floor(100 * share);
  const sum = schedules.toLocaleString('en');
  return `  ${some(faults, 'fault')}: ${percent} % … ${sum} schedules so far, ${rate} a second`;
}
