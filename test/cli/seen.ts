import type { CaseView } from '../../src/engine/cases/case-schema.js';
import type { ActionView } from '../../src/engine/runs/action-schema.js';
import type { LiveRun } from '../../src/engine/runs/run-schema.js';
import type { CaseSeen } from '../../src/cli/show-cases.js';

export const RUN = 'bk_abcdefghijklmnopqrstuvwxyz';
export const CASE = 'case_abcdefghijklmnopqrstuvwxyz';
const at = (second: string) => `2026-11-30T10:00:${second}Z`;

/** A case of a hotel whose answer was lost. */
export function lostHotel(changes: Partial<CaseView> = {}): CaseView {
  return {
    object: 'case',
    id: CASE,
    run: RUN,
    account: 'demo',
    saga: 'book-trip',
    version: 1,
    step: 'hotel',
    direction: 'do',
    problem: 'unknown-outcome',
    state: 'open',
    opened_at: at('12.500'),
    closed_at: null,
    verdict: null,
    evidence: null,
    reason: null,
    resolved_by: null,
    amount: null,
    ...changes,
  };
}

export const lostAttempt = {
  step: 'hotel',
  direction: 'do',
  attempt: 1,
  state: 'unknown',
  began_at: at('01.000'),
  send_by: at('11.000'),
  ended_at: at('11.250'),
  detail: 'time-out',
  provider_id: null,
  worker: 'w-1',
} as const;

/** The same case as it is read, with what a verdict would do. */
export function readLostHotel(changes: Partial<CaseSeen> = {}): CaseSeen {
  return {
    ...lostHotel(),
    provider: 'hotels',
    act: 'reserveRoom',
    sent: {
      key: `${RUN}:hotel`,
      input: { offer: 'H-204', guest: { name: 'Ada' } },
      first_sent_at: at('01.001'),
      provider_id: null,
    },
    attempts: [lostAttempt],
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
    ...changes,
  };
}

/** Its run. */
export function lostRun(changes: Partial<LiveRun> = {}): LiveRun {
  const key = (step: string, provider_id: string | null) => ({
    ...{ step, direction: 'do' as const, key: `${RUN}:${step}`, provider_id },
    ...{ first_sent_at: at('00.100'), asked_at: null, asked: 0, closed_at: null },
  });
  return {
    object: 'run',
    id: RUN,
    account: 'demo',
    saga: 'book-trip',
    version: 1,
    reference: 'cart-81',
    state: 'needs_reconciliation',
    direction: 'forward',
    status: 'in_review',
    step: 'hotel',
    problem: 'unknown-outcome',
    problem_step: 'hotel',
    stuck_since: at('12.500'),
    unwinding_because: null,
    failure: null,
    remains: [],
    steps: [
      { name: 'charge', state: 'done', undo: 'owed' },
      { name: 'hotel', state: 'unknown', undo: 'owed' },
      { name: 'ticket', state: 'not_started', undo: 'not_owed' },
    ],
    timeline: [
      { seq: 1, at: at('00.000'), text: 'Accepted.', line: { kind: 'accepted' } },
      { seq: 2, at: at('00.100'), text: 'charge is begun.', line: { kind: 'begun' } },
    ],
    attempts: [lostAttempt],
    keys: [key('charge', 'ch_9'), key('hotel', null)],
    cases: [lostHotel()],
    interventions: [],
    created_at: at('00.000'),
    updated_at: at('12.500'),
    deadline_at: '2026-11-30T10:15:00.000Z',
    cancel_requested_at: null,
    pivot_begun_at: null,
    ended_at: null,
    temporal: { workflow_id: RUN, url: 'http://127.0.0.1:8233/run' },
    live: { state: 'needs_reconciliation' },
    live_error: null,
    ...changes,
  };
}

/** What a cancel of that run would do. */
export function readAction(changes: Partial<ActionView> = {}): ActionView {
  const nothing = {
    ...{ step: null, direction: null, act: null, provider: null, attempt: null, only_if: null },
    ...{ wait_ms: null, problem: null, case: null, because: null, ends_as: null },
  };
  const stand = { state: 'needs_reconciliation', direction: 'forward' } as const;
  const undo = 'undo charge (refundCard at payments)';
  return {
    ...{ object: 'action', run: RUN, action: 'cancel', case: null, dry_run: true, changes: true },
    before: { ...stand, status: 'in_review' },
    after: { ...stand, status: 'cancelling' },
    follows: [
      { ...nothing, turn: 1, kind: 'turn-back', text: 'turn back, because it was cancelled' },
      { ...nothing, turn: 2, kind: 'call', text: undo, step: 'charge', direction: 'undo' },
      { ...nothing, turn: 3, kind: 'person', text: 'a person decides about hotel', case: CASE },
    ],
    remains: [],
    ...changes,
  };
}
