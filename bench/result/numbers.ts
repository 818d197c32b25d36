/** What several rounds had. */
export interface Spread {
  readonly middle: number;
  readonly least: number;
  readonly most: number;
}

/** The median. Throws a RangeError for an empty list. */
export function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('nothing was measured');
  return (upper + lower) / 2;
}

/** The median with the least and the most. Throws a RangeError for an empty list. */
export function spreadOf(values: readonly number[]): Spread {
  return { middle: middleOf(values), least: Math.min(...values), most: Math.max(...values) };
}

/** The value that this share of all does not exceed. Throws a RangeError for an empty list. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new RangeError('nothing was measured');
  return value;
}
