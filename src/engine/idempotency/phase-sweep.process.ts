import { startLoop, type Loop } from '../outbox/loop.process.js';
import { logChanges } from '../telemetry/change-log.js';
import type { Logger } from '../telemetry/logger.js';
import type { GateParts } from './claims.store.js';
import type { PhasedHandler } from './phases.js';
import { LeaseLost, takeLapsed, type Lease } from './phased-claims.store.js';
import { runPhases } from './run-phases.process.js';

/** A dead winner is taken over at most this late after its lease. */
const SWEEP_EVERY_MS = 1_000;
/** Gone on with side by side: each may wait for a provider as long as its lease is. */
const AT_ONCE = 16;

/**
 * Goes on with claims in phases whose lease is over: who held them has died, was too slow, or
 * failed. No client has to come again for that. Any number of processes may sweep.
 */
export function sweepPhases(
  parts: GateParts & { readonly log: Logger },
  handlers: readonly PhasedHandler<never>[],
): Loop {
  const byName = new Map(handlers.map((handler) => [handler.name, handler]));
  const atWork = new Set<Promise<void>>();
  const goOn = async (lease: Lease): Promise<void> => {
    const handler = byName.get(lease.handler);
    if (handler === undefined) return;
    const { handler: kind, point: state, tries } = lease;
    parts.log.warn('a request that was left in its middle is gone on with', { kind, state, tries });
    await runPhases(parts, handler, lease).catch((error: unknown) => {
      if (error instanceof LeaseLost) return;
      parts.log.warn('a request that was gone on with has no answer yet', { kind, state, error });
    });
  };
  const loop = startLoop({
    everyMs: SWEEP_EVERY_MS,
    changes: logChanges(parts.log, 'phases'),
    turn: async () => {
      const most = AT_ONCE - atWork.size;
      const taken = most === 0 ? [] : await takeLapsed(parts, handlers, most);
      for (const lease of taken) {
        const going = goOn(lease).finally(() => atWork.delete(going));
        atWork.add(going);
      }
      return 'idle';
    },
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await Promise.allSettled(atWork);
    },
  };
}
