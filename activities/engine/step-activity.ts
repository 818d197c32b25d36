import type { AnyAct } from '../../src/engine/saga/act.js';
import type { Answer, CallAsk } from '../../src/engine/saga/activity-messages.js';
import { beginAttempt } from './begin-attempt.js';
import { endAttempt } from './end-attempt.js';
import type { Calling, EngineContext } from './engine-context.js';
import { makeCall } from './make-call.js';

/**
 * One attempt of one call: begin, call, end. The intention is on record before anything is sent,
 * the outcome before anything is answered, and no transaction is open while the provider is called.
 * Answers the journal lines that the driver does not have. A process that dies in the middle leaves
 * an attempt that is `sending`; `read-attempt` finds out what can be known of it.
 */
export async function stepActivity(
  context: EngineContext,
  calling: Calling,
  act: AnyAct & { readonly kind: 'act' | 'undo' },
  ask: CallAsk,
): Promise<Answer> {
  const { meters, monotonicMs } = context;
  const startedAt = monotonicMs();
  const begun = await beginAttempt(context, calling, ask);
  const begunAt = monotonicMs();
  meters.recorded('begin', begunAt - startedAt);
  if (begun.kind === 'answer') return begun.answer;
  const outcome = await makeCall(context, act, { key: ask.key, ...begun });
  const calledAt = monotonicMs();
  meters.called(act, outcome.kind, calledAt - begunAt);
  const answer = await endAttempt(context, calling, ask, outcome);
  meters.recorded('end', monotonicMs() - calledAt);
  return answer;
}
