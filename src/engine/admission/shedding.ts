import { Problem } from '../http/problem.js';
import type { AdmissionLimits } from './admission-limits.js';
import { readDeadline } from './caller-deadline.js';
import type { TurnedAway } from './turned-away.js';

/** What a process knows of how it does, without asking anybody. */
export interface Signals {
  /** Timers run late, and have done so for longer than a moment. */
  readonly isLoopLate: () => boolean;
  /** How long the first of those who wait for a connection has waited, in milliseconds. */
  readonly poolWaitMs: () => number;
  /** Accepted runs wait too long for Temporal. */
  readonly isBacklogOld: () => boolean;
  /** The caller's deadline is of this clock: milliseconds since 1970. */
  readonly wallMs: () => number;
}

/** As much of a request as it is judged by. */
export interface Arrived {
  readonly deadline: string | readonly string[] | undefined;
  /** It would make a new run, which Temporal has to be told of. */
  readonly startsRun: boolean;
}

/** Seconds: overload passes sooner, or is not over for long; a backlog goes with its cause. */
const RETRY_AFTER: Readonly<Record<Shed, number>> = {
  'event-loop': 1,
  'pool-wait': 1,
  backlog: 30,
  deadline: 1,
};

const DETAILS: Readonly<Record<Shed, string>> = {
  'event-loop': 'This process has more to do than it can. Nothing was done.',
  'pool-wait': 'The database has more to do than it can. Nothing was done.',
  backlog: 'What was accepted waits too long to be begun, so nothing new is. Nothing was done.',
  deadline: 'The moment in Recourse-Deadline has passed, or cannot be met. Nothing was done.',
};

type Shed = Extract<TurnedAway, 'event-loop' | 'pool-wait' | 'backlog' | 'deadline'>;

/**
 * The problem that a request is refused with before anything is done for it; undefined: it may go
 * on. It asks nobody, so that refusing is cheap when all else is slow.
 */
export function shed(
  arrived: Arrived,
  signals: Signals,
  limits: AdmissionLimits,
): Problem | undefined {
  let deadlineMs: number | null;
  try {
    deadlineMs = readDeadline(arrived.deadline);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  const waitMs = signals.poolWaitMs();
  if (deadlineMs !== null && signals.wallMs() + waitMs >= deadlineMs) return overloaded('deadline');
  if (signals.isLoopLate()) return overloaded('event-loop');
  if (waitMs > limits.poolWaitMs) return overloaded('pool-wait');
  if (arrived.startsRun && signals.isBacklogOld()) return overloaded('backlog');
  return undefined;
}

function overloaded(why: Shed): Problem {
  return new Problem('overloaded', {
    detail: DETAILS[why],
    headers: { 'Retry-After': `${RETRY_AFTER[why]}` },
    turnedAway: why,
  });
}
