import type { AttemptFact } from '../runs/run-facts.store.js';
import { allowedVerdicts, type AllowedVerdict } from '../saga/verdicts.js';
import { UnknownSaga, type Sagas } from '../sagas.js';
import type { AttemptView, CaseView, DecidableCase, SentView } from './case-schema.js';
import type { CaseFact, SentFact } from './read-cases.store.js';

/** Shows a case as it is listed. */
export function presentCase(fact: CaseFact): CaseView {
  return {
    object: 'case',
    id: fact.id,
    run: fact.run,
    account: fact.account,
    saga: fact.saga,
    version: fact.version,
    step: fact.step,
    direction: fact.direction,
    problem: fact.problem,
    state: fact.state,
    opened_at: fact.openedAt.toISOString(),
    closed_at: fact.closedAt?.toISOString() ?? null,
    verdict: fact.verdict,
    evidence: fact.evidence,
    reason: fact.reason,
    resolved_by: fact.resolvedBy,
    amount: fact.money,
  };
}

/** Shows what a person needs to decide it: provider, act, every attempt, what each verdict does. */
export function presentDecidable(
  fact: CaseFact,
  about: { readonly attempts: readonly AttemptFact[]; readonly sagas: Sagas },
): DecidableCase {
  const subject = subjectOf(fact, about.sagas);
  return {
    ...presentCase(fact),
    provider: subject?.provider ?? null,
    act: subject?.act ?? null,
    attempts: about.attempts.map(presentAttempt),
    verdicts:
      fact.state === 'open' && subject !== null
        ? subject.verdicts.map((allowed) => presentVerdict(allowed, subject.sample))
        : [],
  };
}

/** Shows what was sent. */
export function presentSent(sent: SentFact | null): SentView | null {
  if (sent === null) return null;
  return {
    key: sent.key,
    input: sent.input,
    first_sent_at: sent.firstSentAt?.toISOString() ?? null,
    provider_id: sent.providerId,
  };
}

/** Shows one call. */
export function presentAttempt(attempt: AttemptFact): AttemptView {
  return {
    step: attempt.step,
    direction: attempt.direction,
    attempt: attempt.attempt,
    state: attempt.state,
    began_at: attempt.beganAt.toISOString(),
    send_by: attempt.sendBy.toISOString(),
    ended_at: attempt.endedAt?.toISOString() ?? null,
    detail: attempt.detail,
    provider_id: attempt.providerId,
    worker: attempt.worker,
  };
}

function presentVerdict(
  { verdict, needsValue, effect }: AllowedVerdict,
  sample: unknown,
): DecidableCase['verdicts'][number] {
  const example = needsValue ? (sample ?? null) : null;
  return { verdict, needs_value: needsValue, value_example: example, effect };
}

interface Subject {
  readonly provider: string;
  readonly act: string | null;
  readonly verdicts: readonly AllowedVerdict[];
  /** How a value of the step looks. */
  readonly sample: unknown;
}

/** Null while this process has not the version of the run: another one has, after a deploy. */
function subjectOf(fact: CaseFact, sagas: Sagas): Subject | null {
  try {
    const step = sagas.step(fact.saga, fact.version, fact.step);
    const verdicts = allowedVerdicts({
      problem: fact.problem,
      direction: fact.direction,
      place: step.place,
      undoable: step.undo !== null,
      unwinding: fact.unwinding,
      ended: fact.runEnded,
    });
    const act = fact.direction === 'do' ? step.forward.run : (step.undo?.run ?? null);
    return { provider: step.at, act, verdicts, sample: sagas.sample(step) };
  } catch (error) {
    if (error instanceof UnknownSaga) return null;
    throw error;
  }
}
