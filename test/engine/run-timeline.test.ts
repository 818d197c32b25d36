import { expect, test } from 'vitest';
import { sayFact } from '../../src/engine/runs/run-timeline.js';
import type { Fact } from '../../src/engine/saga/journal.js';

const HOTEL = { step: 'hotel', direction: 'do' } as const;
const REFUND = { step: 'charge', direction: 'undo' } as const;
const RETRY = { retry_ms: 1_500, trying_ms: 0 } as const;
const AGAIN = { reason: 'connection-refused', counts: true, ...RETRY } as const;
const CASE = 'case_1';

const SAID: readonly (readonly [Fact, string])[] = [
  [{ kind: 'accepted' }, 'Accepted.'],
  [{ kind: 'begun', attempt: 2, ...HOTEL }, 'hotel: attempt 2 was begun.'],
  [
    { kind: 'ended', attempt: 1, outcome: 'done', provider_id: 'rs_9', ...HOTEL },
    'hotel: attempt 1 is done as rs_9.',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'done', provider_id: null, ...REFUND },
    'undo of charge: attempt 1 is done.',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'refused', code: 'sold_out', ...HOTEL },
    'hotel: attempt 1 was refused (sold_out).',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'again', ...AGAIN, ...HOTEL },
    'hotel: attempt 1 did nothing (connection-refused); the next is due in 1.5 s.',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'unknown', cause: 'time-out', ...RETRY, ...HOTEL },
    'hotel: attempt 1 may or may not have taken effect (time-out).',
  ],
  [
    { kind: 'asked', finding: 'found', provider_id: 're_1', ...REFUND },
    'undo of charge: the provider was asked; it has it as re_1.',
  ],
  [
    { kind: 'asked', finding: 'not-there', ...RETRY, ...REFUND },
    'undo of charge: the provider was asked; it does not have it.',
  ],
  [
    {
      kind: 'asked',
      finding: 'cannot-tell',
      cause: 'x',
      ask_again_ms: 200,
      asking_ms: 0,
      ...HOTEL,
    },
    'hotel: the provider was asked; it cannot tell (x) and is asked again in 200 ms.',
  ],
  [
    { kind: 'asked', finding: 'differs', cause: 'amount-differs', ...HOTEL },
    'hotel: the provider was asked; it has something else (amount-differs).',
  ],
  [
    { kind: 'key-expired', ...HOTEL },
    'hotel: the provider no longer honours the key, so it is not sent again.',
  ],
  [{ kind: 'cancel-accepted', by: 'customer' }, 'A cancel by the customer was accepted.'],
  [
    { kind: 'cancel-refused', why: 'past-pivot' },
    'A cancel was refused: the step that cannot be undone took effect.',
  ],
  [{ kind: 'unwinding', because: 'refused' }, 'Turned back, because a step was refused.'],
  [
    { kind: 'case-opened', case: CASE, problem: 'unknown-outcome', ...HOTEL },
    'hotel: a case was opened, because nobody can say whether it took effect.',
  ],
  [{ kind: 'case-settled', case: CASE, ...HOTEL }, 'hotel: the case was settled by a fact.'],
  [
    { kind: 'verdict', case: CASE, verdict: 'undone-by-hand', ...HOTEL },
    'hotel: a person decided that it was undone by hand.',
  ],
  [{ kind: 'finished', as: 'completed' }, 'Completed.'],
  [{ kind: 'finished', as: 'undone' }, 'Undone: everything that took effect was undone.'],
];

test.each(SAID)('%j is said in plain words', (fact, words) => {
  expect(sayFact(fact)).toBe(words);
});
