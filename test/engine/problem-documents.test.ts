import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isProblemCode, PROBLEMS } from '../../src/engine/http/problem.js';
import { problemMarkdown, problemsMarkdown } from '../support/problem-markdown.js';

const CODES = Object.keys(PROBLEMS).filter(isProblemCode);

test.each(CODES)(
  'docs/problems/%s.md is what the table says; after a change: vitest -u',
  async (code) => {
    await expect(problemMarkdown(code)).toMatchFileSnapshot(`../../docs/problems/${code}.md`);
  },
);

test('docs/problems has a list of all of them, and nothing else', async () => {
  await expect(problemsMarkdown(CODES)).toMatchFileSnapshot('../../docs/problems/README.md');
  const pages = new Set(['README.md', ...CODES.map((code) => `${code}.md`)]);
  expect(readdirSync('docs/problems').filter((page) => !pages.has(page))).toEqual([]);
});
