import { expect, test } from 'vitest';
import { showRun } from '../../src/cli/show-run.js';
import { CASE, lostHotel, lostRun, RUN } from './seen.js';

test('a run is told from where it stands to what a person can do', () => {
  expect(showRun(lostRun())).toBe(
    `
${RUN}  book-trip v1, account demo, reference cart-81
needs_reconciliation, direction forward; the customer sees in_review
accepted 2026-11-30 10:00:00.000Z, last news 2026-11-30 10:00:12.500Z
deadline 2026-11-30 10:15:00.000Z

step    state        provider id  undo      provider id of the undo
charge  done         ch_9         owed      -
hotel   unknown      -            owed      -
ticket  not_started  -            not_owed  -

Attempts
call   attempt  state    began                     took    detail    provider id  worker
hotel  1        unknown  2026-11-30 10:00:01.000Z  10.3 s  time-out  -            w-1

What happened (UTC)
2026-11-30 10:00:00.000Z  Accepted.
2026-11-30 10:00:00.100Z  charge is begun.

Open case of hotel since 2026-11-30 10:00:12.500Z: nobody can say whether it took effect (unknown-outcome)
  look    npx recourse cases show ${CASE}
  decide  npx recourse cases resolve ${CASE} --verdict … --evidence … --reason …

Temporal: http://127.0.0.1:8233/run
`.trim(),
  );
});

const closed = lostHotel({
  state: 'resolved',
  verdict: 'left-as-is',
  resolved_by: 'demo/k1',
  amount: { amount: 9_000, currency: 'INR' },
});
const decision = {
  at: '2026-11-30T10:01:00.000Z',
  who: 'demo/k1',
  action: 'verdict left-as-is',
  case: CASE,
  reason: 'too late to call',
  evidence: 'none to be had',
};

test.each([
  ['a failure', { failure: { code: 'sold_out', step: 'hotel' } }, /^failed: sold_out at hotel$/m],
  [
    'a failure without a step',
    { failure: { code: 'deadline-passed', step: null } },
    /^failed: deadline-passed$/m,
  ],
  [
    'what remains',
    { remains: [{ step: 'hotel', direction: 'undo', what: 'not-undone' }] },
    /^remains: hotel was not undone$/m,
  ],
  ['its end', { ended_at: '2026-11-30T10:02:00.000Z' }, /^ended 2026-11-30 10:02:00\.000Z$/m],
  [
    'a cancel',
    { cancel_requested_at: '2026-11-30T10:02:00.000Z' },
    /^cancel accepted 2026-11-30 10:02/m,
  ],
  ['how a case was closed', { cases: [closed] }, /left-as-is, 90\.00 INR, by demo\/k1$/m],
  [
    'who decided, and why',
    { interventions: [decision] },
    /demo\/k1 .*too late to call .*none to be had$/m,
  ],
  [
    'a reason newer than the CLI',
    { cases: [lostHotel({ problem: 'duplicate-effect' })] },
    /: duplicate-effect$/m,
  ],
  [
    'no Temporal UI',
    { temporal: { workflow_id: RUN, url: null } },
    /^Temporal: workflow bk_.*TEMPORAL_UI_URL/m,
  ],
  [
    'a silent workflow',
    { live_error: 'no worker answered' },
    /^Its workflow says nothing: no worker answered$/m,
  ],
] as const)('it tells %s', (_what, changes, line) => {
  expect(showRun(lostRun(changes as object))).toMatch(line);
});

test.each([
  ['completed', 'confirmed', 'kept'],
  ['needs_reconciliation', 'confirmed', 'kept'],
  ['running', 'pending', 'owed'],
  ['undoing', 'failing', 'owed'],
] as const)('what a run that is %s, %s has of an undo is %s', (state, status, word) => {
  const shown = showRun(lostRun({ state, status }));
  expect(shown).toMatch(new RegExp(`^charge +done +ch_9 +${word} +-$`, 'm'));
});

test('a run that has just been accepted shows no empty table', () => {
  const shown = showRun(lostRun({ attempts: [], cases: [], keys: [] }));
  expect(shown).not.toMatch(/Attempts|cases|Decisions/);
});
