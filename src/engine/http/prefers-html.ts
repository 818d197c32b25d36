/**
 * Whether an Accept header asks for HTML rather than JSON, as that of a browser does. Who accepts
 * both alike, or does not say, gets JSON.
 */
export function prefersHtml(header: string | undefined): boolean {
  const ranges = (header ?? '').split(',').map(readRange);
  return weightOf('text/html', ranges) > weightOf('application/json', ranges);
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.map((one) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(one)?.[1]);
  return { type, weight: Number(quality.find((one) => one !== undefined) ?? 1) };
}

/** The weight of the range that says most about a type (RFC 9110, 12.5.1); 0 when none does. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const wanted of [type, family, '*/*']) {
    const range = ranges.find((one) => one.type === wanted);
    if (range !== undefined) return range.weight;
  }
  return 0;
}
