import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** The project as the tidy rules see it: text files as git would keep them, and every folder. */
export interface Tree {
  readonly files: readonly SourceFile[];
  readonly emptyFolders: readonly string[];
}

/** One rule of STYLE.md. It is tried on the project, and on a small tree that it must refuse. */
export interface Rule {
  readonly name: string;
  /** One line for each place that breaks the rule: `file:line`, what is wrong, what to do. */
  readonly offences: (tree: Tree) => readonly string[];
  readonly refuses: Tree;
}

export const codeFolders = ['src', 'workflows', 'activities', 'test', 'bench'] as const;

const text = /\.(ts|mts|mjs|cjs|js|sql|md|json|ya?ml|html|css|sh)$|(^|\/)[^.]+$|^\.[^/]+$/;

/** Reads the checkout. Files that git ignores are not part of it. */
export function readTree(): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard']);
  const paths = listed.toString().split('\0').filter(Boolean);
  return {
    files: [...new Set(paths)]
      .filter((path) => text.test(path) && existsSync(path))
      .toSorted()
      .map((path) => fileOf(path, readFileSync(path, 'utf8'))),
    emptyFolders: codeFolders.filter((folder) => existsSync(folder)).flatMap(emptyFolders),
  };
}

/** A tree of made-up files, path to text. */
export function treeOf(files: Readonly<Record<string, string>>): Tree {
  return {
    files: Object.entries(files).map(([path, content]) => fileOf(path, content)),
    emptyFolders: [],
  };
}

function fileOf(path: string, content: string): SourceFile {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { path, text: content, lines };
}

function emptyFolders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.length === 0) return [folder];
  return entries
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => emptyFolders(join(folder, entry.name)));
}

/** TypeScript and scripts that people wrote; the tidy rules themselves quote what they forbid. */
export function codeOf(tree: Tree): SourceFile[] {
  return tree.files.filter(({ path }) => /\.(ts|mts|mjs)$/.test(path) && !isTidy(path));
}

export function isTidy(path: string): boolean {
  return /^test\/tidy[./]/.test(path);
}

export function isTest(path: string): boolean {
  return path.startsWith('test/');
}

/** `file:line what` for every line that `broken` names a fault in. */
export function byLine(
  files: readonly SourceFile[],
  broken: (line: string, file: SourceFile) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    file.lines.flatMap((line, index) => {
      const fault = broken(line, file);
      return fault === undefined ? [] : [`${file.path}:${index + 1} ${fault}`];
    }),
  );
}
