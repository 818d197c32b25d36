import { LOST_ATTEMPT, LOST_HOTEL } from '../cases/case-answers.js';
import type { ActionView, ExpectedView } from './action-schema.js';
import type { KeyView, LiveRun, RunHead, RunPage } from './run-schema.js';

const RUN = 'bk_abcdefghijklmnopqrstuvwxyz';

const HEAD: RunHead = {
  object: 'run',
  id: RUN,
  account: 'demo',
  saga: 'book-trip',
  version: 2,
  reference: 'cart-81',
  state: 'needs_reconciliation',
  direction: 'forward',
  status: 'in_review',
  step: 'hotel',
  problem: 'unknown-outcome',
  problem_step: 'hotel',
  stuck_since: '2026-11-30T10:00:12.500Z',
  unwinding_because: null,
  failure: null,
  remains: [],
  steps: [
    { name: 'charge', state: 'done', undo: 'owed' },
    { name: 'hotel', state: 'unknown', undo: 'owed' },
    { name: 'ticket', state: 'not_started', undo: 'not_owed' },
  ],
  created_at: '2026-11-30T10:00:00.000Z',
  updated_at: '2026-11-30T10:00:12.500Z',
  deadline_at: '2026-11-30T10:15:00.000Z',
  cancel_requested_at: null,
  pivot_begun_at: null,
  ended_at: null,
  temporal: { workflow_id: RUN, url: null },
};

const KEY: KeyView = {
  step: 'hotel',
  direction: 'do',
  key: `${RUN}:hotel`,
  provider_id: null,
  first_sent_at: '2026-11-30T10:00:01.001Z',
  asked_at: null,
  asked: 0,
  closed_at: null,
};

const READ: LiveRun = {
  ...HEAD,
  timeline: [
    { seq: 1, at: HEAD.created_at, text: 'Accepted.', line: { kind: 'accepted' } },
    { seq: 2, at: '2026-11-30T10:00:01.000Z', text: 'hotel is begun.', line: { kind: 'begun' } },
  ],
  attempts: [LOST_ATTEMPT],
  keys: [KEY],
  cases: [LOST_HOTEL],
  interventions: [],
  live: { state: 'needs_reconciliation' },
  live_error: null,
};

const NOTHING = {
  step: null,
  direction: null,
  act: null,
  provider: null,
  attempt: null,
  only_if: null,
  wait_ms: null,
  problem: null,
  case: null,
  because: null,
  ends_as: null,
};

const FOLLOWS: ExpectedView[] = [
  { ...NOTHING, turn: 1, kind: 'turn-back', text: 'turn back, because it was cancelled' },
  { ...NOTHING, turn: 2, kind: 'end', text: 'end as cancelled', ends_as: 'cancelled' },
];

const WOULD: ActionView = {
  object: 'action',
  run: RUN,
  action: 'cancel',
  case: null,
  dry_run: true,
  changes: true,
  before: { state: 'running', direction: 'forward', status: 'pending' },
  after: { state: 'running', direction: 'forward', status: 'cancelling' },
  follows: FOLLOWS,
  remains: [],
};

const PAGE: RunPage = { data: [HEAD], has_more: false, next_cursor: null };

/** How runs are listed. */
export const LISTED_RUNS = { page: { summary: 'A page, and the last one', value: PAGE } };

/** How a run is read. */
export const READ_RUN = { stuck: { summary: 'It waits for a person', value: READ } };

/** How an action is answered. */
export const TAKEN_ACTION = {
  preview: { summary: 'What a cancel would do', value: WOULD },
  taken: { summary: 'What it did', value: { ...WOULD, dry_run: false } },
};
