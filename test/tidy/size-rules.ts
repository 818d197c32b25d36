import { byLine, isTest, treeOf, type Rule } from './tree.js';

const MAX_LINES = 300;
const MAX_TEST_LINES = 400;
const MAX_COLUMNS = 100;

/** A released saga is frozen, and a table or query is easier read whole. */
const anyLength = /\.v\d+\.saga\.ts$|\.sql$/;
const code = /\.(ts|mts|mjs|sql|ya?ml)$/;
const machineWritten = /schema\.sql$/;
/** Prettier breaks code; what is left of a test are its sentences and what it expects to read. */
const isSaid = (line: string, path: string) => isTest(path) && !/^\s*(\/\/|\/?\*)/.test(line);

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
        (line, { path }) =>
          line.length > MAX_COLUMNS && !isSaid(line, path)
            ? `has ${line.length} columns; break the line`
            : undefined,
      ),
    refuses: treeOf({ 'src/engine/wide.ts': `// ${'x'.repeat(MAX_COLUMNS)}` }),
  },
];
