/**
 * The word that was probably meant, or null when none of `words` is near. Near is at most one
 * mistake for every three letters, where a mistake is a letter too many, too few, wrong, or
 * changed over with its neighbour.
 */
export function nearestWord(written: string, words: readonly string[]): string | null {
  let nearest: string | null = null;
  let fewest = Math.ceil(written.length / 3) + 1;
  for (const word of words) {
    const mistakes = mistakesBetween(written, word);
    if (mistakes < fewest) {
      fewest = mistakes;
      nearest = word;
    }
  }
  return nearest;
}

/** The optimal string alignment distance, row by row. */
function mistakesBetween(written: string, meant: string): number {
  const width = meant.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= written.length; row += 1) {
    const current = [row];
    for (let column = 1; column < width; column += 1) {
      const same = written[row - 1] === meant[column - 1];
      const changedOver =
        row > 1 && written[row - 1] === meant[column - 2] && written[row - 2] === meant[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        changedOver ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[width - 1] ?? 0;
}
