import { presentAttempt, presentCase } from '../cases/present-case.js';
import type { CaseFact } from '../cases/read-cases.store.js';
import type { Fact } from '../saga/journal.js';
import type { RunSnapshot } from './read-runs.store.js';
import type { AttemptFact, InterventionFact, KeyFact, TimedLine } from './run-facts.store.js';
import { sayFact } from './run-timeline.js';

export interface RunFacts {
  readonly run: RunSnapshot;
  readonly lines: readonly TimedLine[];
  readonly attempts: readonly AttemptFact[];
  readonly keys: readonly KeyFact[];
  readonly cases: readonly CaseFact[];
  readonly interventions: readonly InterventionFact[];
}

/** A run as an operator reads it. It holds names, states and times, not what was sent. */
export function presentRun({ run, lines, attempts, keys, cases, interventions }: RunFacts) {
  return {
    object: 'run',
    id: run.id,
    account: run.account,
    saga: run.saga,
    version: run.version,
    reference: run.reference,
    state: run.state,
    direction: run.direction,
    status: run.status,
    problem: run.problem,
    problem_step: run.problemStep,
    unwinding_because: run.unwindingBecause,
    failure: run.failure,
    remains: run.remains,
    steps: run.steps,
    timeline: lines.map(presentLine),
    attempts: attempts.map(presentAttempt),
    keys: keys.map(presentKey),
    cases: cases.map(presentCase),
    interventions: interventions.map(presentIntervention),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    deadline_at: run.deadlineAt,
    cancel_requested_at: run.cancelRequestedAt,
    pivot_begun_at: run.pivotBegunAt,
    ended_at: run.endedAt,
  };
}

function presentLine({ seq, at, line }: TimedLine) {
  return { seq, at, text: sayFact(line as Fact), line };
}

function presentKey(key: KeyFact) {
  return {
    step: key.step,
    direction: key.direction,
    key: key.key,
    provider_id: key.providerId,
    first_sent_at: key.firstSentAt,
    asked_at: key.askedAt,
    asked: key.asked,
    closed_at: key.closedAt,
  };
}

function presentIntervention(one: InterventionFact) {
  return {
    at: one.at,
    who: one.who,
    action: one.action,
    case: one.caseId,
    reason: one.reason,
    evidence: one.evidence,
  };
}
