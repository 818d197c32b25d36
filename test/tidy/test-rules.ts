import ts from 'typescript';
import { treeOf, type Rule, type SourceFile } from './tree.js';

const WORDS_OF_A_SENTENCE = 3;
const isTestFile = ({ path }: SourceFile) => /^test\/.*\.test(-d)?\.ts$/.test(path);
const assertion = /\bexpect(TypeOf)?\b|\bassert\w*\(|@ts-expect-error/;

/** The titles of a file's tests, those of the groups around them in front, with their lines. */
function titlesOf(file: SourceFile): { title: string; line: number }[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023);
  const titles: { title: string; line: number }[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const said = ts.isCallExpression(node) ? titleOf(node, source) : undefined;
    const path = said === undefined ? around : [...around, said.title];
    if (said?.kind === 'test') titles.push({ title: path.join(' '), line: said.line });
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(source, []);
  return titles;
}

interface Titled {
  readonly kind: 'test' | 'group';
  readonly title: string;
  readonly line: number;
}

function titleOf(call: ts.CallExpression, source: ts.SourceFile): Titled | undefined {
  const kind = kindOf(call.expression);
  const [first] = call.arguments;
  if (kind === undefined || first === undefined) return undefined;
  if (!ts.isStringLiteralLike(first) && !ts.isTemplateExpression(first)) return undefined;
  const { line } = source.getLineAndCharacterOfPosition(first.getStart(source));
  return { kind, title: first.getText(source).slice(1, -1), line: line + 1 };
}

/** `test`, `it`, `describe`, and what hangs on them: `test.each(…)`, `describe.each(…)`. */
function kindOf(callee: ts.Expression): Titled['kind'] | undefined {
  if (ts.isIdentifier(callee)) {
    if (callee.text === 'describe') return 'group';
    return callee.text === 'test' || callee.text === 'it' ? 'test' : undefined;
  }
  const hangsOn = ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee);
  return hangsOn ? kindOf(callee.expression) : undefined;
}

/** A placeholder takes words, or the whole sentence, from the row of a table. */
const isSentence = (title: string) =>
  /%\w|\$\w|\$\{/.test(title) || title.split(/\s+/).filter(Boolean).length >= WORDS_OF_A_SENTENCE;

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
    refuses: treeOf({
      'test/engine/a.test.ts': "describe('runs', () => test.each([1])('work', check));",
    }),
  },
];
