/** How a part has died so far, in milliseconds of one clock. */
export interface DeathRecord {
  readonly deathsAt: readonly number[];
  /** How long the last restart was held back; 0 before the first. */
  readonly lastDelayMs: number;
}

export interface Death {
  readonly at: number;
  /** How long the part had been up. */
  readonly afterMs: number;
}

export type AfterDeath =
  | { readonly kind: 'restart'; readonly delayMs: number; readonly record: DeathRecord }
  | { readonly kind: 'give-up'; readonly deaths: number };

export const NO_DEATHS: DeathRecord = { deathsAt: [], lastDelayMs: 0 };

/** Short enough that a killed worker is hardly missed. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

/** What dies five times a minute will not be cured by a sixth start. */
const WINDOW_MS = 60_000;
const DEATHS_TO_GIVE_UP = 5;

/**
 * Decides what follows the death of a part: a restart after 0.5 s, doubling to at most 10 s as long
 * as it does not live for a minute, and no further one after five deaths within a minute.
 */
export function afterDeath(record: DeathRecord, death: Death): AfterDeath {
  const deathsAt = [...record.deathsAt.filter((at) => death.at - at < WINDOW_MS), death.at];
  if (deathsAt.length >= DEATHS_TO_GIVE_UP) return { kind: 'give-up', deaths: deathsAt.length };
  const wasStable = record.lastDelayMs === 0 || death.afterMs >= WINDOW_MS;
  const delayMs = wasStable ? FIRST_DELAY_MS : Math.min(LONGEST_DELAY_MS, 2 * record.lastDelayMs);
  return { kind: 'restart', delayMs, record: { deathsAt, lastDelayMs: delayMs } };
}
