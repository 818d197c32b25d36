import { byLine, isTest, treeOf, type Rule } from './tree.js';

const MAX_LINES = 300;
const MAX_TEST_LINES = 400;
const MAX_COLUMNS = 100;

/** A released saga is frozen, and a table or query is easier read whole. */
const anyLength = /\.v\d+\.saga\.ts$|\.sql$/;
const code = /\.(ts|mts|mjs|sql|ya?ml)$/;
const machineWritten = /schema\.sql$/;
/** The name of a test is a sentence, which no tool breaks. */
const testName = /^\s*(test|it|describe)(\.\w+)*\(/;

export const sizeRules: readonly Rule[] = [
  {
    name: 'a file is at most 300 lines long, a test 400',
    offences: ({ files }) =>
      files
        .filter(({ path }) => code.test(path) && !anyLength.test(path))
        .filter(({ path, lines }) => lines.length > (isTest(path) ? MAX_TEST_LINES : MAX_LINES))
        .map(({ path, lines }) => `${path}:1 has ${lines.length} lines; split it by subject`),
    refuses: treeOf({ 'src/engine/long.ts': '\n'.repeat(MAX_LINES + 1) }),
  },
  {
    name: 'a line of code or SQL has at most 100 columns',
    offences: ({ files }) =>
      byLine(
        files.filter(({ path }) => code.test(path) && !machineWritten.test(path)),
        (line) =>
          line.length > MAX_COLUMNS && !testName.test(line)
            ? `has ${line.length} columns; break the line`
            : undefined,
      ),
    refuses: treeOf({ 'src/engine/wide.ts': `// ${'x'.repeat(MAX_COLUMNS)}` }),
  },
];
