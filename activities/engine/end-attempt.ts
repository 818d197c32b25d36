import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction, type Tx } from '../../src/engine/database/database.js';
import {
  callOf,
  keepValue,
  readAttempt,
  readCallTimes,
  settleAttempt,
} from '../../src/engine/journal/attempts.store.js';
import { appendFacts, openRun } from '../../src/engine/journal/run-record.store.js';
import { outcomePlace, valuePlace } from '../../src/engine/journal/sealed-places.js';
import { putLook } from '../../src/engine/outbox/outbox.store.js';
import type { Answer, CallAsk, RecordAsk } from '../../src/engine/saga/activity-messages.js';
import { stepNamed } from '../../src/engine/saga/definition.js';
import type { EndedAs } from '../../src/engine/saga/journal.js';
import type { Outcome } from '../../src/engine/saga/outcome.js';
import { waitMs } from '../../src/engine/saga/retry-policy.js';
import { callState, standing } from '../../src/engine/saga/run-state.js';
import type { Calling, EngineContext } from './engine-context.js';
import { safeCode, safeId } from '../../src/engine/journal/names-only.js';
import { news } from './own-run.js';

/** Long enough for Postgres to restart; after it Temporal carries the outcome, sealed. */
const END_LIMIT_MS = 5_000;
const END_PAUSE_MS = 200;

/**
 * Writes what an attempt came to. Tried until it stands or the limit has passed; then the answer
 * carries the outcome sealed, and `record` must write it before anything else is done. So an
 * outcome that this process has seen is lost only with the process.
 */
export async function endAttempt(
  context: EngineContext,
  calling: Calling,
  ask: CallAsk,
  outcome: Outcome<unknown>,
): Promise<Answer> {
  const limit = context.monotonicMs() + END_LIMIT_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await recordOutcome(context, calling, ask, outcome);
    } catch {
      // A process that stood still has used up the time without having tried.
      const isOver = tries > 1 && context.monotonicMs() + END_PAUSE_MS >= limit;
      if (isOver) return sealedAnswer(context, ask, outcome);
      await pause(END_PAUSE_MS);
    }
  }
}

function sealedAnswer(context: EngineContext, ask: CallAsk, outcome: Outcome<unknown>): Answer {
  const sealed = context.sealer.seal(outcome, outcomePlace(ask, ask.attempt));
  return { lines: [], sealed: sealed.toString('base64') };
}

/** Opens an outcome that could not be written where it was seen, and writes it. */
export function recordSealed(
  context: EngineContext,
  calling: Calling,
  ask: RecordAsk,
): Promise<Answer> {
  const sealed = Buffer.from(ask.sealed, 'base64');
  const outcome = context.sealer.open(sealed, outcomePlace(ask, ask.attempt)) as Outcome<unknown>;
  return recordOutcome(context, calling, ask, outcome);
}

/**
 * A fact is a fact: it is written whichever execution brings it, and whatever was decided since.
 */
async function recordOutcome(
  context: EngineContext,
  calling: Calling,
  ask: CallAsk,
  outcome: Outcome<unknown>,
): Promise<Answer> {
  return inTransaction(context.database, async (tx) => {
    const record = await openRun(tx, context.sagas, ask.run);
    const before = await readAttempt(tx, ask, ask.attempt);
    const ended = await endedAs(context, tx, record, ask, outcome);
    const settled = await settleAttempt(tx, ask, ask.attempt, {
      state: ended.outcome,
      detail: detailOf(ended),
      providerId: ended.outcome === 'done' ? ended.provider_id : null,
    });
    if (!settled) return news(record, ask);
    if (outcome.kind === 'done' && ended.outcome === 'done') {
      const place = valuePlace(ask);
      const value = context.sealer.seal(outcome.value, place);
      await keepValue(tx, callOf(ask), value, ended.provider_id);
    }
    // Nobody waits for this answer any more: the driver is told to read the journal.
    const isLate = before?.state === 'unknown' || record.execution !== calling.execution;
    if (isLate) await putLook(tx, ask.run);
    const { step, direction, attempt } = ask;
    const fact = { kind: 'ended', step, direction, attempt, ...ended } as const;
    return news(await appendFacts(tx, record, [fact]), ask);
  });
}

async function endedAs(
  context: EngineContext,
  tx: Tx,
  record: Awaited<ReturnType<typeof openRun>>,
  ask: CallAsk,
  outcome: Outcome<unknown>,
): Promise<EndedAs> {
  if (outcome.kind === 'done') return { outcome: 'done', provider_id: safeId(outcome.value) };
  if (outcome.kind === 'refused') return { outcome: 'refused', code: safeCode(outcome.code) };
  const { retry } = standing(
    record.state,
    stepNamed(record.definition, ask.step),
    ask.direction,
  ).call;
  const used = callState(record.state, ask.step, ask.direction).used + 1;
  const { tryingMs } = await readCallTimes(tx, ask);
  const retryMs = waitMs(used, retry, outcome.afterMs, context.random);
  const times = { retry_ms: retryMs, trying_ms: tryingMs };
  return outcome.kind === 'again'
    ? { outcome: 'again', reason: safeCode(outcome.reason), counts: true, ...times }
    : { outcome: 'unknown', cause: safeCode(outcome.cause), ...times };
}

function detailOf(ended: EndedAs): string | null {
  switch (ended.outcome) {
    case 'done':
      return null;
    case 'refused':
      return ended.code;
    case 'again':
      return ended.reason;
    case 'unknown':
      return ended.cause;
  }
}
