import type { Call } from '../saga/act.js';

/** What is sent, under which key, and until when. */
export interface Sendable {
  readonly key: string;
  readonly input: unknown;
  /** By the database's clock; told to the provider. */
  readonly sendBy: Date;
  /** By the monotonic clock, in milliseconds; ours. */
  readonly until: number;
}

/** What is answered in place of an act that did not answer. */
export interface Unanswered<Result> {
  /** It was not done when its time was over. */
  readonly overrun: Result;
  readonly thrown: Result;
}

/** An act that ignores its signal is left behind this long after its time. */
const OVERRUN_MS = 400;
const LAST_LOOK_MS = 100;

/**
 * Has an act make one call, and answers what it answers; never throws. At `until` its signal is
 * aborted, and an act that ignores that is left behind half a second later: what it does then
 * changes nothing here.
 */
export async function inTime<Result>(
  monotonicMs: () => number,
  { key, input, sendBy, until }: Sendable,
  { overrun, thrown }: Unanswered<Result>,
  perform: (call: Call<unknown>) => Promise<Result>,
): Promise<Result> {
  const msLeft = Math.max(0, until - monotonicMs());
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
