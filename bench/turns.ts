/** One measurement of a run: who, at which load, in which round. */
export interface Turn<Name> {
  readonly round: number;
  readonly atOnce: number;
  readonly name: Name;
}

/**
 * Who is measured when. At each load all follow one another, so that whatever the machine does
 * meanwhile meets all of them; each round another one begins, so that nobody always comes after
 * the same one.
 */
export function turnsOf<Name>(
  names: readonly Name[],
  loads: readonly number[],
  rounds: number,
): readonly Turn<Name>[] {
  return Array.from({ length: rounds }, (_, round) => {
    const first = round % names.length;
    const order = [...names.slice(first), ...names.slice(0, first)];
    return loads.flatMap((atOnce) => order.map((name) => ({ round, atOnce, name })));
  }).flat();
}
