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
  [{ kind: 'begun', attempt: 1, ...HOTEL }, 'hotel is begun.'],
  [{ kind: 'begun', attempt: 2, ...HOTEL }, 'hotel is tried again: attempt 2.'],
  [
    { kind: 'ended', attempt: 1, outcome: 'done', provider_id: 'rs_9', ...HOTEL },
    'hotel is done, as rs_9.',
  ],
  [
    { kind: 'ended', attempt: 2, outcome: 'done', provider_id: 'rs_9', ...HOTEL },
    'hotel, attempt 2, is done, as rs_9.',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'done', provider_id: null, ...REFUND },
    'The undo of charge is done.',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'refused', code: 'sold_out', ...HOTEL },
    'hotel was refused: sold_out.',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'again', ...AGAIN, ...HOTEL },
    'hotel did nothing: connection-refused. The next try is due in 1.5 s.',
  ],
  [
    { kind: 'ended', attempt: 1, outcome: 'unknown', cause: 'time-out', ...RETRY, ...HOTEL },
    'hotel may or may not have taken effect: time-out.',
  ],
  [
    { kind: 'asked', finding: 'found', provider_id: 're_1', ...REFUND },
    'The provider was asked about the undo of charge: it happened, as re_1.',
  ],
  [
    { kind: 'asked', finding: 'not-there', ...RETRY, ...REFUND },
    'The provider was asked about the undo of charge: it did not happen.',
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
    'The provider was asked about hotel and cannot tell: x. It is asked again in 200 ms.',
  ],
  [
    { kind: 'asked', finding: 'differs', cause: 'amount-differs', ...HOTEL },
    'The provider was asked about hotel: it holds something else, amount-differs.',
  ],
  [
    { kind: 'key-expired', ...HOTEL },
    'hotel is not sent again: the provider no longer honours its key.',
  ],
  [{ kind: 'cancel-accepted', by: 'customer' }, 'The customer cancelled, and was promised it.'],
  [
    { kind: 'cancel-refused', why: 'past-pivot' },
    'A cancel was refused: the step that cannot be undone took effect.',
  ],
  [{ kind: 'unwinding', because: 'refused' }, 'Turned back, because a step was refused.'],
  [
    { kind: 'case-opened', case: CASE, problem: 'unknown-outcome', ...HOTEL },
    'hotel waits for a person: nobody can say whether it took effect (case_1).',
  ],
  [
    { kind: 'case-settled', case: CASE, ...HOTEL },
    'hotel no longer waits for a person: a fact settled case_1.',
  ],
  [
    { kind: 'case-settled', case: CASE, because: 'abandoned', ...HOTEL },
    'hotel no longer waits for a person: abandoning the run closed case_1.',
  ],
  [
    { kind: 'retried', by: 'operator' },
    'An operator said "now": what waits for its time goes on at once.',
  ],
  [
    { kind: 'retried', by: 'temporal' },
    '"Now" came from Temporal: what waits for its time goes on at once.',
  ],
  [{ kind: 'abandoned' }, 'An operator abandoned the run: nothing more is sent.'],
  [
    { kind: 'verdict', case: CASE, verdict: 'undone-by-hand', ...HOTEL },
    'A person decided about hotel: it was undone by hand (case_1).',
  ],
  [{ kind: 'finished', as: 'completed' }, 'Completed: every step is done.'],
  [{ kind: 'finished', as: 'undone' }, 'Undone: everything that took effect was undone.'],
];

test.each(SAID)('%j is said in plain words', (fact, words) => {
  expect(sayFact(fact)).toBe(words);
});
