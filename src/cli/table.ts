import Table from 'cli-table3';

const NO_LINES = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'],
    ...['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((place) => [place, '']),
);

/** Columns of text without lines or colours, so that a row can be searched for and copied. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const drawn = new Table({
    head: [...head],
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
  });
  for (const row of rows) drawn.push(row.map((cell) => (cell === null ? '-' : String(cell))));
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
