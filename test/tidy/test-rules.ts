import ts from 'typescript';
import { treeOf, type Rule, type SourceFile } from './tree.js';

const WORDS_OF_A_SENTENCE = 3;
const isTestFile = ({ path }: SourceFile) => /^test\/.*\.test(-d)?\.ts$/.test(path);
const assertion = /\bexpect(TypeOf)?\b|\bassert\w*\(|@ts-expect-error/;

/** The titles of a file's tests, also those of `test.each(…)(title, …)`, with their lines. */
function titlesOf(file: SourceFile): { title: string; line: number }[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true);
  const titles: { title: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestCall(node.expression)) {
      const [first] = node.arguments;
      if (
        first !== undefined &&
        (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))
      ) {
        const { line } = source.getLineAndCharacterOfPosition(first.getStart(source));
        titles.push({ title: first.getText(source).slice(1, -1), line: line + 1 });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** `test`, `it`, and what hangs on them: `test.each(…)`, `test.skipIf(…)`. */
function isTestCall(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'test' || callee.text === 'it';
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) {
    return isTestCall(callee.expression);
  }
  return false;
}

/** A title that is a placeholder alone takes its sentence from the row of a table. */
const isSentence = (title: string) =>
  /^(%s|\$\w+)$/.test(title) || title.split(/\s+/).filter(Boolean).length >= WORDS_OF_A_SENTENCE;

export const testRules: readonly Rule[] = [
  {
    name: 'every test file asserts something',
    offences: ({ files }) =>
      files
        .filter((file) => isTestFile(file) && !assertion.test(file.text))
        .map(({ path }) => `${path}:1 asserts nothing: it cannot fail`),
    refuses: treeOf({ 'test/engine/a.test.ts': "test('a run ends somehow', () => run());" }),
  },
  {
    name: 'the name of a test is a sentence',
    offences: ({ files }) =>
      files.filter(isTestFile).flatMap((file) =>
        titlesOf(file)
          .filter(({ title }) => !isSentence(title))
          .map(({ title, line }) => `${file.path}:${line} \`${title}\`: say what holds, and when`),
      ),
    refuses: treeOf({ 'test/engine/a.test.ts': "test.each([1])('it works', check);" }),
  },
];
