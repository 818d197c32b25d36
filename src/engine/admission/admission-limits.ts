/** What one API process takes on at most; what an account may ask for is on record with it. */
export interface AdmissionLimits {
  /** How late timers may run, for longer than a moment, before requests are refused. */
  readonly loopDelayMs: number;
  /** How long the first of those who wait for a connection to the database may have waited. */
  readonly poolWaitMs: number;
  /** How long the oldest accepted run may have waited for Temporal to be told of it. */
  readonly backlogMs: number;
  /** How many requests are worked on at once, those that only wait for news not counted. */
  readonly inFlight: number;
  /** How many of them may be of one account. */
  readonly inFlightOfAccount: number;
  /** How many of these are done at the same time: fewer than there are connections. */
  readonly atOnceOfAccount: number;
  /**
   * Who has stood in line for these for so long is told to come again.
   * @default as long as a statement may take: what was before it has ended by then, or is stuck
   */
  readonly lineMs?: number;
}

export const LINE_MS = 5_000;

/** What they are where nothing else is said. */
export const DEFAULT_LIMITS: AdmissionLimits = {
  loopDelayMs: 500,
  poolWaitMs: 500,
  backlogMs: 600_000,
  inFlight: 1_000,
  inFlightOfAccount: 256,
  atOnceOfAccount: 15,
};
