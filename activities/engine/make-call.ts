import { inTime, type Sendable } from '../../src/engine/providers/in-time.process.js';
import type { AnyAct, Call } from '../../src/engine/saga/act.js';
import type { Finding, Outcome } from '../../src/engine/saga/outcome.js';
import { cannotTell, unknown } from '../../src/engine/saga/outcome.js';
import type { EngineContext } from './engine-context.js';

/** A result that Temporal may have to carry, sealed, must fit its limits by far. */
const LARGEST_VALUE_BYTES = 16_384;

/**
 * Makes one call and answers what it came to; never throws. An act that throws, overruns or answers
 * what its own `parse` does not read may have taken effect all the same: that is `unknown`.
 */
export async function makeCall(
  context: EngineContext,
  act: AnyAct & { readonly kind: 'act' | 'undo' },
  sendable: Sendable,
): Promise<Outcome<unknown>> {
  const unanswered = { overrun: unknown('timed-out'), thrown: unknown('act-threw') };
  const outcome = await inTime<Outcome<unknown>>(
    context.monotonicMs,
    sendable,
    unanswered,
    (call) => act.perform(call as Call<never>),
  );
  return outcome.kind === 'done' ? readable(act, outcome.value) : outcome;
}

function readable(
  act: AnyAct & { readonly kind: 'act' | 'undo' },
  answered: unknown,
): Outcome<unknown> {
  try {
    const value: unknown = act.parse(answered) ?? null;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    return bytes > LARGEST_VALUE_BYTES ? unknown('value-too-large') : { kind: 'done', value };
  } catch {
    return unknown('value-unreadable');
  }
}

/** Asks the provider once; never throws. */
export function askOnce(
  context: EngineContext,
  find: AnyAct & { readonly kind: 'find' },
  sendable: Sendable,
): Promise<Finding<unknown>> {
  const unanswered = { overrun: cannotTell('timed-out'), thrown: cannotTell('act-threw') };
  return inTime<Finding<unknown>>(context.monotonicMs, sendable, unanswered, (call) =>
    find.perform(call),
  );
}
