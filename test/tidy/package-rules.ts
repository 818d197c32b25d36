import ts from 'typescript';
import { dirname, join, normalize } from 'node:path';
import { byLine, treeOf, type Rule, type SourceFile, type Tree } from './tree.js';

interface Exported {
  readonly name: string;
  readonly where: string;
  readonly documented: boolean;
}

function doorsOf({ files }: Tree): string[] {
  const manifest = files.find(({ path }) => path === 'package.json');
  const { exports = {} } = JSON.parse(manifest?.text ?? '{}') as { exports?: object };
  return Object.values(exports as Record<string, string>)
    .filter((path) => path.endsWith('.js'))
    .map((path) => path.replace('./dist/', '').replace(/\.js$/, '.ts'));
}

/** What a file exports, followed through its re-exports to where it is declared. */
function exportsOf(tree: Tree, path: string): Exported[] {
  const file = tree.files.find((candidate) => candidate.path === path);
  if (file === undefined) return [];
  const source = ts.createSourceFile(path, file.text, ts.ScriptTarget.ES2023, true);
  return source.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement)
      ? reExported(tree, file, statement)
      : declared(file, source, statement),
  );
}

function reExported(tree: Tree, file: SourceFile, statement: ts.ExportDeclaration): Exported[] {
  const { moduleSpecifier, exportClause } = statement;
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  if (!moduleSpecifier.text.startsWith('.')) return [];
  const target = normalize(join(dirname(file.path), moduleSpecifier.text.replace(/\.js$/, '.ts')));
  const all = exportsOf(tree, target);
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return all;
  const names = exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
  return all.filter(({ name }) => names.includes(name));
}

function declared(file: SourceFile, source: ts.SourceFile, statement: ts.Statement): Exported[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  const { line } = source.getLineAndCharacterOfPosition(statement.getStart(source));
  const where = `${file.path}:${line + 1}`;
  const documented = ts.getJSDocCommentsAndTags(statement).length > 0;
  return namesOf(statement).map((name) => ({ name, where, documented }));
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

function undocumented(tree: Tree): string[] {
  const all = doorsOf(tree).flatMap((door) => exportsOf(tree, door));
  const known = new Set(all.filter(({ documented }) => documented).map(({ name }) => name));
  const missing = all
    .filter(({ name }) => !known.has(name))
    .map(({ name, where }) => `${where} \`${name}\` is public: say in a doc comment what it does`);
  return [...new Set(missing)];
}

export const packageRules: readonly Rule[] = [
  {
    name: 'every version in package.json is exact',
    offences: ({ files }) => {
      const manifests = files.filter(({ path }) => path === 'package.json');
      return byLine(manifests, (line) =>
        /"[^"]+": "([~^<*]|latest|[\d.]+\.x)/.test(line)
          ? 'write the exact version (npm i -E)'
          : undefined,
      );
    },
    refuses: treeOf({ 'package.json': '{ "dependencies": {\n "zod": "^4.0.0" } }' }),
  },
  {
    name: 'everything that a door exports has a doc comment',
    offences: undocumented,
    refuses: treeOf({
      'package.json': '{ "exports": { ".": "./dist/src/engine/index.js" } }',
      'src/engine/index.ts': "export { defineSaga } from './saga/define-saga.js';",
      'src/engine/saga/define-saga.ts': 'export function defineSaga(): void {}',
    }),
  },
];
