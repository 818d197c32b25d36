import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/engine/admission/admission-limits.js';
import { shed, type Arrived, type Signals } from '../../../src/engine/admission/shedding.js';

const NOW = Date.UTC(2026, 10, 30, 10);
const CALM: Signals = {
  isLoopLate: () => false,
  poolWaitMs: () => 0,
  isBacklogOld: () => false,
  wallMs: () => NOW,
};
const at = (ms: number) => new Date(NOW + ms).toISOString();

const reason = (signals: Partial<Signals>, arrived: Partial<Arrived> = {}) =>
  shed(
    { deadline: undefined, startsRun: true, ...arrived },
    { ...CALM, ...signals },
    { ...DEFAULT_LIMITS, poolWaitMs: 500 },
  )?.details.turnedAway;

test.each<[string, Partial<Signals>, Partial<Arrived>, string | undefined]>([
  ['nothing at all', {}, {}, undefined],
  ['a late event loop', { isLoopLate: () => true }, {}, 'event-loop'],
  ['a wait of the limit', { poolWaitMs: () => 500 }, {}, undefined],
  ['a longer wait', { poolWaitMs: () => 501 }, {}, 'pool-wait'],
  ['an old backlog', { isBacklogOld: () => true }, {}, 'backlog'],
  [
    'an old backlog, for what starts no run',
    { isBacklogOld: () => true },
    { startsRun: false },
    undefined,
  ],
  ['a deadline ahead', {}, { deadline: at(1) }, undefined],
  ['a deadline that is now', {}, { deadline: at(0) }, 'deadline'],
  ['a deadline that has passed', {}, { deadline: at(-1) }, 'deadline'],
  ['a deadline ten years ahead', {}, { deadline: at(3.2e11) }, undefined],
  ['a deadline before its turn', { poolWaitMs: () => 300 }, { deadline: at(300) }, 'deadline'],
  ['a deadline after its turn', { poolWaitMs: () => 300 }, { deadline: at(301) }, undefined],
])('%s', (_what, signals, arrived, why) => {
  expect(reason(signals, arrived)).toBe(why);
});

test.each([
  ['event-loop', { isLoopLate: () => true }],
  ['pool-wait', { poolWaitMs: () => 9_000 }],
  ['backlog', { isBacklogOld: () => true }],
])(
  'who is turned away because of %s is told when to come back, and that nothing was done',
  (_why, signals) => {
    const problem = shed(
      { deadline: undefined, startsRun: true },
      { ...CALM, ...signals },
      DEFAULT_LIMITS,
    );
    expect(problem).toMatchObject({ code: 'overloaded', status: 503 });
    expect(Number(problem?.details.headers?.['Retry-After'])).toBeGreaterThan(0);
    expect(problem?.message).toContain('Nothing was done');
  },
);

test('a deadline that is none is the fault of the caller, however much there is to do', () => {
  const arrived = { deadline: 'soon', startsRun: true };
  const problem = shed(arrived, { ...CALM, isLoopLate: () => true }, DEFAULT_LIMITS);
  expect(problem).toMatchObject({ code: 'deadline-malformed', status: 400 });
});
