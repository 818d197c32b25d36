import { z } from 'zod';

const whole = (least: number, most: number, unset: string) => {
  const says = `a whole number from ${least} to ${most} expected`;
  return z
    .string()
    .regex(/^\d{1,9}$/, says)
    .default(unset)
    .transform(Number)
    .refine((value) => value >= least && value <= most, says);
};

/** The variables that say what one API process takes on, for the file that reads them. */
export const ADMISSION_VARIABLES = {
  RECOURSE_SHED_LOOP_DELAY_MS: whole(10, 60_000, '500'),
  RECOURSE_SHED_POOL_WAIT_MS: whole(10, 60_000, '500'),
  RECOURSE_SHED_BACKLOG_MS: whole(1, 86_400_000, '600000'),
  RECOURSE_IN_FLIGHT: whole(1, 100_000, '1000'),
  RECOURSE_IN_FLIGHT_PER_ACCOUNT: whole(1, 100_000, '256'),
  RECOURSE_AT_ONCE_PER_ACCOUNT: whole(1, 100_000, '15'),
};

/** What one API process takes on at most; the engine says what each of them means. */
export interface AdmissionConfig {
  readonly loopDelayMs: number;
  readonly poolWaitMs: number;
  readonly backlogMs: number;
  readonly inFlight: number;
  readonly inFlightOfAccount: number;
  readonly atOnceOfAccount: number;
}

type Variables = { readonly [Name in keyof typeof ADMISSION_VARIABLES]: number };

/** What the variables say that were read. */
export function admissionOf(read: Variables): AdmissionConfig {
  return {
    loopDelayMs: read.RECOURSE_SHED_LOOP_DELAY_MS,
    poolWaitMs: read.RECOURSE_SHED_POOL_WAIT_MS,
    backlogMs: read.RECOURSE_SHED_BACKLOG_MS,
    inFlight: read.RECOURSE_IN_FLIGHT,
    inFlightOfAccount: read.RECOURSE_IN_FLIGHT_PER_ACCOUNT,
    atOnceOfAccount: read.RECOURSE_AT_ONCE_PER_ACCOUNT,
  };
}
