import { resolve } from 'node:path';
import ts from 'typescript';

/** Where the text would lie: its imports are seen from here, and it is never written. */
const FILE = resolve(import.meta.dirname, '../engine/imagined.ts');

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

/**
 * What the compiler says of each line of a text: of a long error the last line, which is the one
 * that a person reads; nothing of a line that is right.
 */
export function compilerWords(text: string): readonly string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === FILE || fileExists(file);
  host.getSourceFile = (file, language) =>
    file === FILE ? ts.createSourceFile(file, text, language) : getSourceFile(file, language);
  const program = ts.createProgram([FILE], OPTIONS, host);
  const source = program.getSourceFile(FILE);
  if (source === undefined) throw new Error(`${FILE} was not read`);
  const words = text.split('\n').map(() => '');
  for (const { start = 0, messageText } of program.getSemanticDiagnostics(source)) {
    const { line } = source.getLineAndCharacterOfPosition(start);
    const lines = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n');
    words[line] = lines.at(-1)?.trim() ?? '';
  }
  return words;
}
