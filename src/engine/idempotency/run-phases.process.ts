import type { Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import type { Logger } from '../telemetry/logger.js';
import type { GateParts } from './claims.store.js';
import { contextOf, type ListedPhase, type PhasedHandler } from './phases.js';
import {
  advance,
  finish,
  LeaseLost,
  postpone,
  release,
  type Lease,
} from './phased-claims.store.js';
import type { Effect } from './stored-answer.js';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Goes on with a claim from its recovery point to its answer. A phase that is refused (a Problem
 * below 500) frees the key, and so does one that says itself that nothing can be answered now (a
 * Problem `unavailable`). One that fails otherwise leaves the claim as it is, to be gone on with in
 * a moment, by a retry of the client or by the sweep: no failure is ever an answer. Throws what the
 * phase throws, and LeaseLost as soon as the lease is over or another's.
 */
export async function runPhases(
  parts: GateParts & { readonly log: Logger },
  handler: PhasedHandler<never>,
  held: Lease,
): Promise<Answer> {
  let lease = held;
  try {
    for (;;) {
      const index = handler.phases.all.findIndex(({ name }) => name === lease.point);
      const phase = handler.phases.all[index];
      const next = handler.phases.all[index + 1];
      if (phase === undefined) throw new RangeError(`${handler.name} has no ${lease.point}`);
      const passedMs = parts.recent.now().monotonicMs - lease.asOf.monotonicMs;
      const leftMs = Math.max(0, Math.floor(handler.leaseMs - passedMs));
      const about = contextOf(lease, AbortSignal.timeout(leftMs));
      const { state } = lease;
      const found = await within(about.signal, phase.work(state, about));
      const write: ListedPhase['write'] = phase.write;
      if (next === undefined) {
        return await finish(
          parts,
          lease,
          (tx) => write(tx, found, state, about) as Promise<Effect>,
        );
      }
      const to = { point: next.name, leaseMs: handler.leaseMs };
      lease = await advance(parts, lease, to, (tx) => write(tx, found, state, about));
    }
  } catch (error) {
    await giveBack(parts, lease, error);
    throw error;
  }
}

async function giveBack(
  { database, log }: GateParts & { readonly log: Logger },
  lease: Lease,
  error: unknown,
): Promise<void> {
  if (error instanceof LeaseLost) return;
  if (isRefusal(error)) return release(database, lease);
  const { handler: kind, point: state, tries } = lease;
  log.warn('a phase of a request failed, and is done again', { kind, state, tries, error });
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries, 10), LONGEST_WAIT_MS);
  // Where the database is away the lease ends by itself.
  await postpone(database, lease, waitMs).catch(() => undefined);
}

function isRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.status < 500 || error.code === 'unavailable');
}

/** What a phase came to, unless its lease is over first: then it is not waited for any longer. */
async function within<Found>(signal: AbortSignal, work: Promise<Found>): Promise<Found> {
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new LeaseLost()), { once: true });
  });
  return Promise.race([work, over]);
}
