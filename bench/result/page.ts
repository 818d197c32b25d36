const BEGIN = '<!-- measured: `npm run bench` writes what is between these lines -->';
const END = '<!-- /measured -->';

/**
 * Puts what was measured into the page, between its two marks. Throws when the page has no such
 * place.
 */
export function pageWith(page: string, measured: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`the page lacks the lines ${BEGIN} and ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${measured}\n\n${page.slice(end)}`;
}
