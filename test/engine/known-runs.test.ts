import { expect, test } from 'vitest';
import { rememberRuns } from '../../activities/engine/known-runs.js';
import type { RunRecord } from '../../src/engine/journal/run-record.js';
import { foldJournal } from '../../src/engine/saga/run-state.js';
import { hastyErrand } from './errand/errands.js';

const record = (id: string, ...kinds: readonly 'finished'[]): RunRecord => {
  const lines = kinds.map((kind) => ({ kind, as: 'completed', seq: 1 }) as const);
  return {
    ...{ id, account: 'acme', definition: hastyErrand, input: Buffer.alloc(0) },
    writtenAt: '2026-11-30 09:00:00.000001+00',
    ...{ execution: 'x', deadlineAt: null, now: new Date(0), lines, keys: [], attempts: [] },
    state: foldJournal(hastyErrand, lines),
  };
};

test('a run is remembered until it is asked for', () => {
  const known = rememberRuns(2);
  known.keep(record('bk_1'));
  expect(known.take('bk_1')?.id).toBe('bk_1');
  expect(known.take('bk_1')).toBeUndefined();
});

test('the runs that were worked on last are remembered, and no more than that', () => {
  const known = rememberRuns(2);
  for (const id of ['bk_1', 'bk_2', 'bk_1', 'bk_3']) known.keep(record(id));
  expect(['bk_1', 'bk_2', 'bk_3'].map((id) => known.take(id)?.id)).toEqual([
    'bk_1',
    undefined,
    'bk_3',
  ]);
});

test('a run that has ended is forgotten', () => {
  const known = rememberRuns(2);
  known.keep(record('bk_1'));
  known.keep(record('bk_1', 'finished'));
  expect(known.take('bk_1')).toBeUndefined();
});
