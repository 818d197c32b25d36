import type { ChangeLog } from './change-log.js';
import type { RelayLoop, RelayMeters } from './meters.js';

/** Counts the turns of a loop, and passes on how they ended. */
export function countTurns(meters: RelayMeters, loop: RelayLoop, changes: ChangeLog): ChangeLog {
  return {
    up() {
      meters.turned(loop, 'ok');
      changes.up();
    },
    down(error) {
      meters.turned(loop, 'failed');
      changes.down(error);
    },
  };
}
