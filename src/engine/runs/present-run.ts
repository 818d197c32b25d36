import { presentAttempt, presentCase } from '../cases/present-case.js';
import type { CaseFact } from '../cases/read-cases.store.js';
import type { EngineParts } from '../engine.tokens.js';
import type { Fact } from '../saga/journal.js';
import { remainsAs } from '../saga/remains.js';
import type { RunFields } from './read-runs.store.js';
import type { AttemptFact, InterventionFact, KeyFact, TimedLine } from './run-facts.store.js';
import type { InterventionView, KeyView, LineView, RunHead, RunView } from './run-schema.js';
import { sayFact } from './run-timeline.js';

export interface RunFacts {
  readonly run: RunFields;
  readonly lines: readonly TimedLine[];
  readonly attempts: readonly AttemptFact[];
  readonly keys: readonly KeyFact[];
  readonly cases: readonly CaseFact[];
  readonly interventions: readonly InterventionFact[];
}

type TemporalLink = EngineParts['temporalLink'];

/** Shows where a run stands. */
export function presentRunHead(run: RunFields, link: TemporalLink): RunHead {
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
    step: run.problemStep,
    problem: run.problem,
    problem_step: run.problem === null ? null : run.problemStep,
    stuck_since: time(run.stuckSince),
    unwinding_because: run.unwindingBecause,
    failure: run.failure,
    remains: run.remains.map((one) => ({ ...one, what: remainsAs(one) })),
    steps: [...run.steps],
    created_at: run.createdAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
    deadline_at: time(run.deadlineAt),
    cancel_requested_at: time(run.cancelRequestedAt),
    pivot_begun_at: time(run.pivotBegunAt),
    ended_at: time(run.endedAt),
    temporal: { workflow_id: run.id, url: link?.(run.id) ?? null },
  };
}

/** Shows everything that is on record about a run, but what was sent. */
export function presentRun(facts: RunFacts, link: TemporalLink): RunView {
  return {
    ...presentRunHead(facts.run, link),
    timeline: facts.lines.map(presentLine),
    attempts: facts.attempts.map(presentAttempt),
    keys: facts.keys.map(presentKey),
    cases: facts.cases.map(presentCase),
    interventions: facts.interventions.map(presentIntervention),
  };
}

function presentLine({ seq, at, line }: TimedLine): LineView {
  return { seq, at: at.toISOString(), text: sayFact(line as Fact), line: { ...line } };
}

function presentKey(key: KeyFact): KeyView {
  return {
    step: key.step,
    direction: key.direction,
    key: key.key,
    provider_id: key.providerId,
    first_sent_at: time(key.firstSentAt),
    asked_at: time(key.askedAt),
    asked: key.asked,
    closed_at: time(key.closedAt),
  };
}

function presentIntervention(one: InterventionFact): InterventionView {
  return {
    at: one.at.toISOString(),
    who: one.who,
    action: one.action,
    case: one.caseId,
    reason: one.reason,
    evidence: one.evidence,
  };
}

function time(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
