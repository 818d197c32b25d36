/** Forward, or the way back. */
export type Direction = 'do' | 'undo';

/**
 * The only place that spells the key of a step. It is the same in every attempt, reset, restart and
 * worker version, because it is made from the run and the step alone.
 */
export function stepKey(run: string, step: string, direction: Direction): string {
  return direction === 'do' ? `${run}:${step}` : `${run}:${step}:undo`;
}
