import { differs, notThere, type Finding, type Outcome } from '../saga/outcome.js';

/** Judges what a provider says it did; every other outcome passes as it is. */
export function whenDone<Answered, Value>(
  outcome: Outcome<Answered>,
  judge: (answered: Answered) => Outcome<Value>,
): Outcome<Value> {
  return outcome.kind === 'done' ? judge(outcome.value) : outcome;
}

/**
 * Judges the one thing a provider holds under a key. None is `not-there`; two are never judged but
 * differ, because one key must have one effect.
 */
export function whenOne<Entry, Value>(
  finding: Finding<readonly Entry[]>,
  judge: (entry: Entry) => Finding<Value>,
): Finding<Value> {
  if (finding.kind !== 'found') return finding;
  const [entry, another] = finding.value;
  if (entry === undefined) return notThere();
  return another === undefined ? judge(entry) : differs('two-results');
}
