import { expect, test } from 'vitest';
import { showRuns } from '../../src/cli/show-runs.js';
import { lostRun, RUN } from './seen.js';

test('runs are a line each, with the id to go on with', () => {
  const fine = lostRun({ state: 'completed', step: 'receipt', problem: null, stuck_since: null });
  expect(showRuns({ data: [lostRun(), fine], has_more: true })).toBe(
    `
run                            saga          account  state                 step     problem                                         accepted                  last news
${RUN}  book-trip v1  demo     needs_reconciliation  hotel    unknown-outcome since 2026-11-30 10:00:12.500Z  2026-11-30 10:00:00.000Z  2026-11-30 10:00:12.500Z
${RUN}  book-trip v1  demo     completed             receipt  -                                               2026-11-30 10:00:00.000Z  2026-11-30 10:00:12.500Z
There are more: give a higher --limit.
`.trim(),
  );
});

test('no run is said in a sentence', () => {
  expect(showRuns({ data: [], has_more: false })).toBe('No run of this kind.');
});
