import { isSettled, type Standing } from './call-state.js';
import { stepNamed } from './definition.js';
import { callState, standing, type RunState } from './run-state.js';
import type { Direction } from './step-key.js';

/** The attempt that is about to be begun. */
export interface Attempting {
  readonly step: string;
  readonly direction: Direction;
  readonly attempt: number;
}

/** What only the database's clock can tell. */
export interface Times {
  readonly deadlineHasPassed: boolean;
  /** The provider does not promise to know this key any more. */
  readonly keyIsTooOld: boolean;
}

/**
 * `over`: there is nothing left to attempt, or another attempt comes first. `turned`: no forward
 * work begins any more, or no undo is due. `deadline`: too late for forward work. `key-too-old`: to
 * send it again could be a second effect.
 */
export type Hindrance = 'over' | 'turned' | 'deadline' | 'key-too-old';

/**
 * Why an attempt must not be begun, or null when it may. The moves of a driver can be old by the
 * time they are done, so this is asked in the transaction that begins the attempt, of the run as it
 * stands then: here cancel and pivot exclude each other, and nothing is sent twice.
 */
export function hindranceTo(run: RunState, of: Attempting, times: Times): Hindrance | null {
  const step = stepNamed(run.definition, of.step);
  const call = callState(run, of.step, of.direction);
  if (run.finishedAs !== null || isSettled(call)) return 'over';
  if (call.inFlight !== null || of.attempt !== call.attempt + 1) return 'over';
  if (of.direction === 'undo') {
    const forward = callState(run, of.step, 'do');
    const isDue = forward.phase === 'done' && forward.inFlight === null;
    if (run.unwindingBecause === null || !isDue) return 'turned';
  } else if (step.place !== 'after-pivot') {
    const turned = run.cancelAccepted || run.unwindingBecause !== null;
    const learns = call.unknowns.length > 0;
    if (turned && !(learns && isKnownByKey(standing(run, step, 'do')))) return 'turned';
    if (!learns && times.deadlineHasPassed) return 'deadline';
  }
  const relies = call.unknowns.length > 0 && isKnownByKey(standing(run, step, of.direction));
  return relies && times.keyIsTooOld ? 'key-too-old' : null;
}

/** The same key is sent again only to learn, which is not forward work. */
function isKnownByKey(at: Standing): boolean {
  return at.call.whenUnknown === 'retry-with-key';
}
