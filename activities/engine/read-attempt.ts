import type { Tx } from '../../src/engine/database/database.js';
import {
  insertSpentAttempt,
  openKey,
  readAttempt,
  readCallTimes,
  settleAttempt,
  type AttemptRow,
} from '../../src/engine/journal/attempts.store.js';
import { appendFacts, type RunRecord } from '../../src/engine/journal/run-record.store.js';
import type { Answer, ReadAsk } from '../../src/engine/saga/activity-messages.js';
import { isSettled } from '../../src/engine/saga/call-state.js';
import { stepNamed } from '../../src/engine/saga/definition.js';
import type { EndedAs } from '../../src/engine/saga/journal.js';
import { callState, standing } from '../../src/engine/saga/run-state.js';
import { waitMs } from '../../src/engine/saga/retry-policy.js';
import type { Calling, EngineContext } from './engine-context.js';
import { asOwner, news } from './own-run.js';

/**
 * What became of one attempt, from the record alone: a time-out of Temporal's is not an outcome.
 * Until the attempt can no longer land the answer is to come again; only then it is unknown. An
 * attempt that was never begun is written as spent, so that a late begin of it sends nothing.
 */
export async function readAttemptOf(
  context: EngineContext,
  calling: Calling,
  ask: ReadAsk,
): Promise<Answer> {
  return asOwner(context, calling, ask, async (tx, record) => {
    const row = await readAttempt(tx, ask, ask.attempt);
    if (row?.state === 'sending') return settleSending(context, tx, record, ask, row);
    const state = callState(record.state, ask.step, ask.direction);
    const isNext = ask.attempt === state.attempt + 1;
    const isOver = record.state.finishedAs !== null || isSettled(state);
    if (row !== undefined || isOver || !isNext) return news(record, ask);
    return news(await spend(context, tx, record, ask), ask);
  });
}

async function spend(
  context: EngineContext,
  tx: Tx,
  record: RunRecord,
  ask: ReadAsk,
): Promise<RunRecord> {
  const { step, direction, attempt } = ask;
  await openKey(tx, ask, null);
  await insertSpentAttempt(tx, ask, attempt, context.worker);
  const { call } = standing(record.state, stepNamed(record.definition, step), direction);
  const { tryingMs } = await readCallTimes(tx, ask);
  // What hinders the begin may last: without a pause, and patience that ends, it would spin unseen.
  const retryMs = waitMs(attempt, call.retry, undefined, context.random);
  const times = { retry_ms: retryMs, counts: false, trying_ms: tryingMs } as const;
  return appendFacts(tx, record, [
    { kind: 'begun', step, direction, attempt },
    { kind: 'ended', step, direction, attempt, outcome: 'again', reason: 'never-begun', ...times },
  ]);
}

/**
 * An attempt stands as `sending` and its process does not answer: settled as unsent where that is
 * known, waited for while it may still land, and unknown after that.
 */
export async function settleSending(
  context: EngineContext,
  tx: Tx,
  record: RunRecord,
  ask: ReadAsk,
  row: AttemptRow,
): Promise<Answer> {
  const step = stepNamed(record.definition, ask.step);
  const landsUntil = row.sendBy.getTime() + context.sagas.settlesMs(step.at);
  const unsent = ask.unsent === row.token;
  if (!unsent && record.now.getTime() < landsUntil) {
    return { ...news(record, ask), hold_ms: landsUntil - record.now.getTime() };
  }
  const ended = await endOf(context, tx, record, ask, unsent);
  const { outcome } = ended;
  const end = { state: outcome, detail: unsent ? 'unsent' : 'process-died', providerId: null };
  await settleAttempt(tx, ask, ask.attempt, end);
  const { step: name, direction, attempt } = ask;
  const fact = { kind: 'ended', step: name, direction, attempt, ...ended } as const;
  return news(await appendFacts(tx, record, [fact]), ask);
}

async function endOf(
  context: EngineContext,
  tx: Tx,
  record: RunRecord,
  ask: ReadAsk,
  unsent: boolean,
): Promise<EndedAs & { readonly outcome: 'again' | 'unknown' }> {
  const { tryingMs } = await readCallTimes(tx, ask);
  if (unsent) {
    const reason = 'unsent';
    return { outcome: 'again', reason, retry_ms: 0, counts: false, trying_ms: tryingMs };
  }
  const step = stepNamed(record.definition, ask.step);
  const { call } = standing(record.state, step, ask.direction);
  const used = callState(record.state, ask.step, ask.direction).used + 1;
  const retryMs = waitMs(used, call.retry, undefined, context.random);
  return { outcome: 'unknown', cause: 'process-died', retry_ms: retryMs, trying_ms: tryingMs };
}
