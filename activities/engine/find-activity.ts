import { inTransaction } from '../../src/engine/database/database.js';
import { safeCode, safeId } from '../../src/engine/journal/names-only.js';
import { applyChange } from '../../src/engine/journal/run-change.store.js';
import {
  askingMs,
  keyOf,
  sendableMs,
  tryingMs,
  type RunRecord,
} from '../../src/engine/journal/run-record.js';
import { noteAsked, openRun } from '../../src/engine/journal/run-record.store.js';
import { callInputPlace, valuePlace } from '../../src/engine/journal/sealed-places.js';
import type { AnyAct } from '../../src/engine/saga/act.js';
import type { Answer, FindAsk } from '../../src/engine/saga/activity-messages.js';
import { isSettled } from '../../src/engine/saga/call-state.js';
import { stepNamed } from '../../src/engine/saga/definition.js';
import type { AnsweredAs } from '../../src/engine/saga/journal.js';
import type { Finding } from '../../src/engine/saga/outcome.js';
import { FORWARD_RETRY, waitMs } from '../../src/engine/saga/retry-policy.js';
import { callState, standing } from '../../src/engine/saga/run-state.js';
import { shortened, type Calling, type EngineContext } from './engine-context.js';
import { askOnce } from './make-call.js';
import { asOwner, news } from './own-run.js';

interface Asking {
  readonly kind: 'ask';
  readonly input: unknown;
  readonly now: Date;
  readonly timeoutMs: number;
  /** Milliseconds until "not there" may be believed; not more than 0: now. */
  readonly settlesInMs: number;
  readonly before: number;
  /** The last attempt that the question was about. */
  readonly attempt: number;
}

/**
 * Asks the provider once what a call did, and writes its answer. "Not there" is believed only when
 * it was asked after the last attempt could still land; earlier it counts as no answer. An answer
 * that cannot be written is forgotten: asking again does no harm.
 */
export async function findActivity(
  context: EngineContext,
  calling: Calling,
  find: AnyAct & { readonly kind: 'find' },
  ask: FindAsk,
): Promise<Answer> {
  const asking = await asOwner(context, calling, ask, async (tx, record) => {
    const state = callState(record.state, ask.step, ask.direction);
    const key = keyOf(record, ask);
    if (record.state.finishedAs !== null || isSettled(state) || key?.input == null) {
      return news(record, ask);
    }
    const step = stepNamed(record.definition, ask.step);
    const before = await noteAsked(tx, ask);
    const asking: Asking = {
      kind: 'ask',
      input: context.sealer.open(key.input, callInputPlace(ask)),
      now: record.now,
      timeoutMs: shortened(context, standing(record.state, step, ask.direction).call.timeoutMs),
      settlesInMs: sendableMs(record, ask) + context.sagas.settlesMs(step.at),
      before,
      attempt: state.attempt,
    };
    return asking;
  });
  if (!('kind' in asking)) return asking;
  const { input, now, timeoutMs } = asking;
  const askedAt = context.monotonicMs();
  const until = askedAt + timeoutMs;
  const sendBy = new Date(now.getTime() + timeoutMs);
  const finding = await askOnce(context, find, { key: ask.key, input, sendBy, until });
  context.meters.called(find, finding.kind, context.monotonicMs() - askedAt);
  return recordFinding(context, ask, asking, finding);
}

function recordFinding(
  context: EngineContext,
  ask: FindAsk,
  asking: Asking,
  finding: Finding<unknown>,
): Promise<Answer> {
  return inTransaction(context.database, async (tx) => {
    const record = await openRun(tx, context.sagas, ask.run);
    const state = callState(record.state, ask.step, ask.direction);
    const isOver = record.state.finishedAs !== null || isSettled(state);
    // An answer from before a later attempt says nothing of that one.
    if (isOver || state.attempt !== asking.attempt) return news(record, ask);
    const answered = answeredAs(context, record, ask, asking, finding);
    const { step, direction } = ask;
    const isFound = finding.kind === 'found' && answered.finding === 'found';
    const changed = await applyChange(tx, record, {
      facts: [{ kind: 'asked', step, direction, ...answered }],
      ...(isFound && {
        keys: [
          {
            ...{ step, direction, providerId: answered.provider_id },
            value: context.sealer.seal(finding.value ?? null, valuePlace(ask)),
          },
        ],
      }),
    });
    return news(changed, ask);
  });
}

function answeredAs(
  context: EngineContext,
  record: RunRecord,
  ask: FindAsk,
  asking: Asking,
  finding: Finding<unknown>,
): AnsweredAs {
  const askAgain = (cause: string, afterMs: number | undefined): AnsweredAs => ({
    finding: 'cannot-tell',
    cause: safeCode(cause),
    ask_again_ms: waitMs(asking.before + 1, FORWARD_RETRY, afterMs, context.random),
    asking_ms: askingMs(record, ask),
  });
  switch (finding.kind) {
    case 'found':
      return { finding: 'found', provider_id: safeId(finding.value) };
    case 'differs':
      return { finding: 'differs', cause: safeCode(finding.cause) };
    case 'cannot-tell':
      return askAgain(finding.cause, finding.afterMs);
    case 'not-there': {
      if (asking.settlesInMs > 0) return askAgain('not-settled', asking.settlesInMs);
      const { call } = standing(
        record.state,
        stepNamed(record.definition, ask.step),
        ask.direction,
      );
      const { used } = callState(record.state, ask.step, ask.direction);
      const retryMs = waitMs(Math.max(1, used), call.retry, undefined, context.random);
      return { finding: 'not-there', retry_ms: retryMs, trying_ms: tryingMs(record, ask) };
    }
  }
}
