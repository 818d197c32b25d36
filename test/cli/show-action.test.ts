import { expect, test } from 'vitest';
import { showAction } from '../../src/cli/show-action.js';
import { CASE, readAction, RUN } from './seen.js';

test('an action is told by where the run stands before and after, and by what follows', () => {
  expect(showAction(readAction())).toBe(
    `
cancel of ${RUN}
        state                 direction  the customer sees
before  needs_reconciliation  forward    in_review
after   needs_reconciliation  forward    cancelling

What follows, if every call takes effect
turn  what
1     turn back, because it was cancelled
2     undo charge (refundCard at payments)
3     a person decides about hotel (${CASE})
`.trim(),
  );
});

test('what remains is told, and what changes nothing says so', () => {
  const remains = [
    { step: 'hotel', direction: 'do', what: 'unknown' },
    { step: 'flight', direction: 'undo', what: 'unknown' },
    { step: 'charge', direction: 'undo', what: 'not-undone' },
    { step: 'receipt', direction: 'do', what: 'not-done' },
  ] as const;
  const shown = showAction(readAction({ remains: [...remains], follows: [], changes: false }));
  expect(shown).toContain('\nThis changes nothing: it is so already.\n');
  expect(shown).not.toContain('What follows');
  expect(shown.split('\n').slice(-5)).toEqual([
    'What remains',
    'hotel may have taken effect',
    'undo of flight may have taken effect',
    'charge was not undone',
    'receipt was not done',
  ]);
});
