import { expect, test } from 'vitest';
import { selfTimesOf, type CpuProfile } from '../../bench/profile/cpu-profile.js';

const frame = (id: number, functionName: string, url: string) => ({
  id,
  callFrame: { functionName, url, lineNumber: 9 },
});
const at = 'file:///home/ada/recourse';
const profile: CpuProfile = {
  nodes: [
    frame(1, '(root)', ''),
    frame(2, '(idle)', ''),
    frame(3, '(garbage collector)', ''),
    frame(4, 'query', `${at}/node_modules/pg/lib/client.js`),
    frame(5, 'encode', `${at}/node_modules/@temporalio/common/lib/converter/payload.js`),
    frame(6, '', `${at}/dist/src/engine/journal/attempts.store.js`),
    frame(7, 'processTicksAndRejections', 'node:internal/process/task_queues'),
    frame(8, 'runSaga', `${at}/dist/workflow-bundle.js`),
    frame(9, 'dispatch', ''),
  ],
  samples: [1, 2, 3, 4, 5, 6, 7, 8, 4, 9],
  timeDeltas: [5_000, 60_000, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 90_000],
};

test('self time is summed by package over all threads, and waiting is not counted', () => {
  expect(selfTimesOf([profile, profile]).packages).toEqual([
    { where: 'pg', ms: 18 },
    { where: 'workflow-bundle.js', ms: 12 },
    { where: 'node', ms: 10 },
    { where: 'src/engine/journal', ms: 8 },
    { where: '@temporalio/common', ms: 6 },
    { where: '(garbage collector)', ms: 2 },
  ]);
});

test('a function is named with its package, file and line', () => {
  const [first, , , fourth] = selfTimesOf([profile]).functions;
  expect(first).toEqual({ where: 'query  pg  client.js:10', ms: 9 });
  expect(fourth).toEqual({
    where: '(anonymous)  src/engine/journal  attempts.store.js:10',
    ms: 4,
  });
});
