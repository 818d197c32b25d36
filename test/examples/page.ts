import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The page for authors. */
export const PAGE = resolve(import.meta.dirname, '../../docs/sagas.md');

/** A line with a path alone, in bold, and the block of code under it. */
const FILE = /^\*\*`([^`]+)`\*\*\n\n```\w+\n([^]*?)\n```$/gm;

/** The files that the page for authors has its reader write: path to text, in its order. */
export function filesOfPage(): ReadonlyMap<string, string> {
  const page = readFileSync(PAGE, 'utf8');
  return new Map([...page.matchAll(FILE)].map(([, path = '', text = '']) => [path, `${text}\n`]));
}
