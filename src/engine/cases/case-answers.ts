import type {
  AttemptView,
  CasePage,
  CaseView,
  DecidableCase,
  SentView,
  WholeCase,
} from './case-schema.js';

const RUN = 'bk_abcdefghijklmnopqrstuvwxyz';

/** A hotel that never answered. */
export const LOST_HOTEL: CaseView = {
  object: 'case',
  id: 'case_abcdefghijklmnopqrstuvwxyz',
  run: RUN,
  account: 'demo',
  saga: 'book-trip',
  version: 2,
  step: 'hotel',
  direction: 'do',
  problem: 'unknown-outcome',
  state: 'open',
  opened_at: '2026-11-30T10:00:12.500Z',
  closed_at: null,
  verdict: null,
  evidence: null,
  reason: null,
  resolved_by: null,
  amount: null,
};

/** The call that it did not answer. */
export const LOST_ATTEMPT: AttemptView = {
  step: 'hotel',
  direction: 'do',
  attempt: 1,
  state: 'unknown',
  began_at: '2026-11-30T10:00:01.000Z',
  send_by: '2026-11-30T10:00:11.000Z',
  ended_at: '2026-11-30T10:00:11.250Z',
  detail: 'time-out',
  provider_id: null,
  worker: 'w-1',
};

const SENT: SentView = {
  key: `${RUN}:hotel`,
  input: { offer: 'H-204', nights: 2, guest: { name: 'Ada Byron', email: 'ada@example.com' } },
  first_sent_at: '2026-11-30T10:00:01.001Z',
  provider_id: null,
};

const OPEN: DecidableCase = {
  ...LOST_HOTEL,
  provider: 'hotels',
  act: 'reserveRoom',
  attempts: [LOST_ATTEMPT],
  verdicts: [
    {
      verdict: 'happened',
      needs_value: true,
      value_example: { id: 'rs_1' },
      effect: 'The run goes on.',
    },
    {
      verdict: 'did-not-happen',
      needs_value: false,
      value_example: null,
      effect: 'It is attempted again.',
    },
  ],
};

const CLOSED: DecidableCase = {
  ...OPEN,
  state: 'resolved',
  closed_at: '2026-11-30T10:05:00.000Z',
  verdict: 'did-not-happen',
  evidence: 'The hotel has no reservation of this name; Ms Rao looked.',
  reason: 'They never got our request.',
  resolved_by: 'demo/k1',
  verdicts: [],
};

const READ: WholeCase = { ...OPEN, sent: SENT };
const PAGE: CasePage = { data: [LOST_HOTEL], has_more: false, next_cursor: null };

/** How cases are listed. */
export const LISTED_CASES = { page: { summary: 'A page, and the last one', value: PAGE } };

/** How a case is read. */
export const READ_CASE = { open: { summary: 'It waits for a person', value: READ } };

/** How a case is answered after its verdict. */
export const DECIDED_CASE = { closed: { summary: 'The verdict was taken', value: CLOSED } };
