import { inTransaction, type Database } from '../../src/engine/database/database.js';
import { appendFacts } from '../../src/engine/journal/run-change.store.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import type { Fact } from '../../src/engine/saga/journal.js';
import type { Sagas } from '../../src/engine/sagas.js';

/** Puts facts on a run's record as a worker would. */
export async function append(
  database: Database,
  sagas: Sagas,
  run: string,
  ...facts: readonly Fact[]
): Promise<void> {
  await inTransaction(database, async (tx) => {
    await appendFacts(tx, await openRun(tx, sagas, run), facts);
  });
}

/** A step that was begun once and ended so. */
export function stepEnded(
  step: string,
  end: { readonly outcome: 'done' } | { readonly outcome: 'refused'; readonly code: string },
  direction: 'do' | 'undo' = 'do',
): readonly Fact[] {
  const call = { step, direction, attempt: 1 } as const;
  const ended = end.outcome === 'done' ? { ...end, provider_id: null } : end;
  return [
    { kind: 'begun', ...call },
    { kind: 'ended', ...call, ...ended },
  ];
}

/** A step that was begun once, and of which nobody knows whether it took effect. */
export function stepUnknown(step: string): readonly Fact[] {
  const call = { step, direction: 'do', attempt: 1 } as const;
  return [
    { kind: 'begun', ...call },
    { kind: 'ended', ...call, outcome: 'unknown', cause: 'time-out', retry_ms: 0, trying_ms: 0 },
  ];
}
