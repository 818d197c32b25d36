import { stepKey, type Direction } from '../saga/step-key.js';

interface CallOf {
  readonly run: string;
  readonly step: string;
  readonly direction: Direction;
}

/** Where the input of a call is kept sealed; sealed bytes open nowhere else. */
export function callInputPlace({ run, step, direction }: CallOf): string {
  return `${stepKey(run, step, direction)}:input`;
}

/** Where what a call came to is kept sealed. */
export function valuePlace({ run, step, direction }: CallOf): string {
  return `${stepKey(run, step, direction)}:value`;
}

/** Where the input of a run is kept sealed. */
export function runInputPlace(run: string): string {
  return `${run}:input`;
}

/** Where an outcome that could not be written yet is sealed for its way through Temporal. */
export function outcomePlace({ run, step, direction }: CallOf, attempt: number): string {
  return `${stepKey(run, step, direction)}:outcome:${attempt}`;
}
