import { expect, test } from 'vitest';
import { showCase, showCases } from '../../src/cli/show-cases.js';
import { CASE, lostHotel, readLostHotel, RUN } from './seen.js';

test('cases are a line each, with the ids to go on with', () => {
  const settled = lostHotel({ state: 'settled', direction: 'undo' });
  expect(showCases({ data: [lostHotel(), settled], has_more: true })).toBe(
    `
case                             opened                    call           problem          state              run
${CASE}  2026-11-30 10:00:12.500Z  hotel          unknown-outcome  open               ${RUN}
${CASE}  2026-11-30 10:00:12.500Z  undo of hotel  unknown-outcome  settled by a fact  ${RUN}
There are more: give a higher --limit.
`.trim(),
  );
});

test('no case is said in a sentence', () => {
  expect(showCases({ data: [], has_more: false })).toBe(
    'No case: nothing of this kind waits for a person.',
  );
});

test('an open case shows what was sent and what each verdict will do', () => {
  expect(showCase(readLostHotel())).toBe(
    `
${CASE}  open
hotel: nobody can say whether it took effect (unknown-outcome)
run ${RUN}, book-trip v1, account demo
opened 2026-11-30 10:00:12.500Z

Sent to hotels by reserveRoom
key ${RUN}:hotel, first sent 2026-11-30 10:00:01.001Z
input {"offer":"H-204","guest":{"name":"Ada"}}

Attempts
call   attempt  state    began                     took    detail    provider id  worker
hotel  1        unknown  2026-11-30 10:00:01.000Z  10.3 s  time-out  -            w-1

verdict         needs                    what it will do
happened        --value '{"id":"rs_1"}'  The run goes on.
did-not-happen                           It is attempted again.
`.trim(),
  );
});

test('a closed case shows who closed it, and offers no verdict', () => {
  const shown = showCase(
    readLostHotel({
      ...{ state: 'resolved', verdict: 'did-not-happen', resolved_by: 'demo/k1', verdicts: [] },
      ...{ evidence: 'their list', reason: 'not on it', closed_at: '2026-11-30T10:05:00.000Z' },
    }),
  );
  expect(shown).toMatch(/^case_.* {2}closed: did-not-happen, by demo\/k1$/m);
  expect(shown).toMatch(
    /^closed 2026-11-30 10:05:00\.000Z\nevidence: their list\nreason: not on it$/m,
  );
  expect(shown).not.toMatch(/verdict |resolve/);
});

test('an API without the version of the run says so', () => {
  expect(showCase(readLostHotel({ verdicts: [] }))).toMatch(/does not know book-trip v1/);
});
