import { randomUUID } from 'node:crypto';
import {
  attemptOf,
  keyOf,
  tryingMs,
  type AttemptRow,
  type RunRecord,
} from '../../src/engine/journal/run-record.js';
import type { Answer, ReadAsk } from '../../src/engine/saga/activity-messages.js';
import { isSettled } from '../../src/engine/saga/call-state.js';
import { stepNamed } from '../../src/engine/saga/definition.js';
import type { EndedAs } from '../../src/engine/saga/journal.js';
import { waitMs } from '../../src/engine/saga/retry-policy.js';
import { callState, standing } from '../../src/engine/saga/run-state.js';
import type { Calling, EngineContext } from './engine-context.js';
import { changeAsOwner, news, type Decision } from './own-run.js';

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
  return changeAsOwner(context, calling, ask, (record) => {
    const row = attemptOf(record, ask);
    if (row?.state === 'sending') return settleSending(context, record, ask, row);
    const state = callState(record.state, ask.step, ask.direction);
    const isNext = ask.attempt === state.attempt + 1;
    const isOver = record.state.finishedAs !== null || isSettled(state);
    if (row !== undefined || isOver || !isNext) return { answer: news(record, ask) };
    return spend(context, record, ask);
  });
}

function spend(context: EngineContext, record: RunRecord, ask: ReadAsk): Decision<Answer> {
  const { step, direction, attempt } = ask;
  const of = { step, direction };
  const { call } = standing(record.state, stepNamed(record.definition, step), direction);
  // What hinders the begin may last: without a pause, and patience that ends, it would spin unseen.
  const retryMs = waitMs(attempt, call.retry, undefined, context.random);
  const times = { retry_ms: retryMs, counts: false, trying_ms: tryingMs(record, ask) } as const;
  const { worker } = context;
  return {
    change: {
      facts: [
        { kind: 'begun', ...of, attempt },
        { kind: 'ended', ...of, attempt, outcome: 'again', reason: 'never-begun', ...times },
      ],
      keys: keyOf(record, ask) === undefined ? [of] : [],
      begun: { ...of, attempt, token: randomUUID(), timeoutMs: 0, worker, spent: true },
    },
    then: (changed) => news(changed, ask),
  };
}

/**
 * An attempt stands as `sending` and its process does not answer: settled as unsent where that is
 * known, waited for while it may still land, and unknown after that.
 */
export function settleSending(
  context: EngineContext,
  record: RunRecord,
  ask: ReadAsk,
  row: AttemptRow,
): Decision<Answer> {
  const { step, direction, attempt } = ask;
  const { at } = stepNamed(record.definition, step);
  const landsUntil = row.sendBy.getTime() + context.sagas.settlesMs(at);
  const unsent = ask.unsent === row.token;
  if (!unsent && record.now.getTime() < landsUntil) {
    return { answer: { ...news(record, ask), hold_ms: landsUntil - record.now.getTime() } };
  }
  const of = { step, direction, attempt };
  const ended = endOf(context, record, ask, unsent);
  const detail = unsent ? 'unsent' : 'process-died';
  return {
    change: {
      facts: [{ kind: 'ended', ...of, ...ended }],
      ended: { ...of, state: ended.outcome, detail, providerId: null },
    },
    then: (changed) => news(changed, ask),
  };
}

function endOf(
  context: EngineContext,
  record: RunRecord,
  ask: ReadAsk,
  unsent: boolean,
): EndedAs & { readonly outcome: 'again' | 'unknown' } {
  const times = { trying_ms: tryingMs(record, ask) };
  if (unsent) return { outcome: 'again', reason: 'unsent', retry_ms: 0, counts: false, ...times };
  const step = stepNamed(record.definition, ask.step);
  const { call } = standing(record.state, step, ask.direction);
  const used = callState(record.state, ask.step, ask.direction).used + 1;
  const retryMs = waitMs(used, call.retry, undefined, context.random);
  return { outcome: 'unknown', cause: 'process-died', retry_ms: retryMs, ...times };
}
