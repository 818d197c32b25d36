import type { Instruments } from './instruments.js';
import type { RelayLoop, RelayMeters } from './meters.js';

const KINDS = ['start', 'cancel', 'look'] as const;
const LOOPS: readonly RelayLoop[] = ['outbox', 'sweep'];
/** A turn comes every second, and may last as long as a server that hangs lets it. */
const QUIET_MS = 30_000;

export interface WatchedRelay extends RelayMeters {
  /** The loops that had no good turn in the last 30 s. */
  quietLoops(): readonly RelayLoop[];
}

/** Counts what the relay does, and knows when its loops have last done it. */
export function relayMeters(instruments: Instruments, monotonicMs: () => number): WatchedRelay {
  const messages = instruments.counter('recourse_outbox_messages_total');
  const turns = instruments.counter('recourse_loop_turns_total');
  const looks = instruments.counter('recourse_sweep_looks_total');
  const lastGood = new Map<RelayLoop, number>();
  // What was never counted is a 0, so that its first one shows as an increase.
  for (const kind of KINDS) {
    for (const result of ['sent', 'unavailable', 'refused']) messages.inc({ kind, result }, 0);
  }
  for (const loop of LOOPS) {
    for (const result of ['ok', 'failed']) turns.inc({ loop, result }, 0);
  }
  for (const found of ['running', 'unsent', 'closed', 'missing', 'replaced', 'ended']) {
    looks.inc({ found }, 0);
  }
  return Object.freeze<WatchedRelay>({
    told: (kind, result) => messages.inc({ kind, result }),
    turned(loop, result) {
      turns.inc({ loop, result });
      if (result === 'ok') lastGood.set(loop, monotonicMs());
    },
    looked: (found) => looks.inc({ found }),
    quietLoops: () =>
      LOOPS.filter((loop) => monotonicMs() - (lastGood.get(loop) ?? -Infinity) > QUIET_MS),
  });
}
