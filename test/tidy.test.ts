import { expect, test } from 'vitest';
import { nameRules } from './tidy/name-rules.js';
import { packageRules } from './tidy/package-rules.js';
import { proseRules } from './tidy/prose-rules.js';
import { sizeRules } from './tidy/size-rules.js';
import { testRules } from './tidy/test-rules.js';
import { readTree, type Rule } from './tidy/tree.js';
import { wordRules } from './tidy/word-rules.js';

// The rules of STYLE.md that a linter cannot see. A rule that finds nothing might be dead: each is
// also tried on a small tree that it must refuse.

const rules: [name: string, rule: Rule][] = [
  ...sizeRules,
  ...wordRules,
  ...nameRules,
  ...testRules,
  ...proseRules,
  ...packageRules,
].map((rule) => [rule.name, rule]);
const tree = readTree();
/** All tests are parsed for one rule: seconds, where the machine is busy. */
const LIMIT_MS = 60_000;

test.each(rules)(
  '%s: the project keeps it',
  (_name, { offences }) => {
    expect(offences(tree)).toEqual([]);
  },
  LIMIT_MS,
);

test.each(rules)('%s: a breach is seen', (_name, { offences, refuses }) => {
  expect(offences(refuses)).not.toEqual([]);
});
