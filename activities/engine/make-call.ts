import type { AnyAct, Call } from '../../src/engine/saga/act.js';
import type { Finding, Outcome } from '../../src/engine/saga/outcome.js';
import { cannotTell, unknown } from '../../src/engine/saga/outcome.js';
import type { EngineContext } from './engine-context.js';

/** What is sent, under which key, and until when. */
export interface Sendable {
  readonly key: string;
  readonly input: unknown;
  /** By the database's clock; told to the provider. */
  readonly sendBy: Date;
  /** By the monotonic clock, in milliseconds; ours. */
  readonly until: number;
}

/** A result that Temporal may have to carry, sealed, must fit its limits by far. */
const LARGEST_VALUE_BYTES = 16_384;
/** An act that ignores its signal is left behind this long after its time. */
const OVERRUN_MS = 400;
const LAST_LOOK_MS = 100;

/**
 * Makes one call and answers what it came to; never throws. An act that throws, overruns or answers
 * what its own `parse` does not read may have taken effect all the same: that is `unknown`.
 */
export async function makeCall(
  context: EngineContext,
  act: AnyAct & { readonly kind: 'act' | 'undo' },
  sendable: Sendable,
): Promise<Outcome<unknown>> {
  const outcome = await inTime(
    context,
    sendable,
    unknown('timed-out'),
    unknown('act-threw'),
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
  return inTime(context, sendable, cannotTell('timed-out'), cannotTell('act-threw'), (call) =>
    find.perform(call),
  );
}

async function inTime<Result>(
  context: EngineContext,
  { key, input, sendBy, until }: Sendable,
  overrun: Result,
  thrown: Result,
  perform: (call: Call<unknown>) => Promise<Result>,
): Promise<Result> {
  const msLeft = Math.max(0, until - context.monotonicMs());
  const controller = new AbortController();
  const abort = setTimeout(() => controller.abort(), msLeft);
  let leave: NodeJS.Timeout | undefined;
  const left = new Promise<Result>((resolve) => {
    // In two parts: a process that stood still reads what lies in its sockets between them.
    leave = setTimeout(() => {
      leave = setTimeout(resolve, LAST_LOOK_MS, overrun);
    }, msLeft + OVERRUN_MS);
  });
  const made = perform({ key, input, sendBy, msLeft, signal: controller.signal });
  try {
    return await Promise.race([made, left]);
  } catch {
    return thrown;
  } finally {
    clearTimeout(abort);
    clearTimeout(leave);
    made.catch(() => undefined);
  }
}
