import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { byLine, isTidy, treeOf, type Rule, type SourceFile, type Tree } from './tree.js';

const isProse = ({ path }: SourceFile) => path.endsWith('.md');

/** Lines outside of fenced code; the others become empty, so that numbers stay right. */
function withoutFences(file: SourceFile): SourceFile {
  let inFence = false;
  const lines = file.lines.map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) inFence = !inFence;
    return isFence || inFence ? '' : line;
  });
  return { ...file, lines };
}

/** The anchor that a heading gets on the pages where the file is read. */
function anchorOf(heading: string): string {
  const words = heading.replace(/^#+\s+/, '').toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

function brokenLinks(tree: Tree): string[] {
  const byPath = new Map(tree.files.map((file) => [file.path, file]));
  return byLine(tree.files.filter(isProse).map(withoutFences), (line, file) => {
    for (const [, target = ''] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const full = path === '' ? file.path : normalize(join(dirname(file.path), path));
      if (!byPath.has(full) && !existsSync(full)) return `links to ${target}, which is not there`;
      const headings = byPath.get(full)?.lines.filter((text) => text.startsWith('#')) ?? [];
      if (anchor !== undefined && !headings.map(anchorOf).includes(anchor)) {
        return `links to #${anchor}, and no heading is called so`;
      }
    }
    return undefined;
  });
}

/** The page for authors names the files of its reader's project. */
const PROJECT_OF: Readonly<Record<string, string>> = { 'docs/sagas.md': 'test/examples/order' };

function deadPaths(tree: Tree): string[] {
  return byLine(tree.files.filter(isProse).map(withoutFences), (line, file) => {
    if (file.path === 'CHANGELOG.md') return undefined;
    for (const [, path = ''] of line.matchAll(
      /`((?:src|workflows|activities|test|docs)\/[^`]*)`/g,
    )) {
      const exact = /^[\w./-]+$/.test(path);
      const project = PROJECT_OF[file.path] ?? '.';
      if (exact && !existsSync(path) && !existsSync(join(project, path)))
        return `names \`${path}\`, which is not there`;
    }
    return undefined;
  });
}

function changelogForm({ files }: Tree): string[] {
  const file = files.find(({ path }) => path === 'CHANGELOG.md');
  if (file === undefined) return ['CHANGELOG.md:1 is missing'];
  const wrong = byLine([file], (line) =>
    line.startsWith('## ') && !/^## (Unreleased|\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\))$/.test(line)
      ? 'write `## Unreleased` or `## 1.2.3 (2026-01-31)`'
      : undefined,
  );
  const headings = file.lines.filter((line) => line.startsWith('## '));
  const late = headings.slice(1).includes('## Unreleased');
  return [
    ...(file.lines[0] === '# Changelog' ? [] : ['CHANGELOG.md:1 begins with `# Changelog`']),
    ...wrong,
    ...(late ? ['CHANGELOG.md:1 has `## Unreleased` below a release: move it to the top'] : []),
  ];
}

/** The checkout's own folder, the one above it and the home: none of them is anybody else's. */
function machineFolders(): string[] {
  const checkout = process.cwd();
  const folders = [checkout, dirname(checkout), homedir()].filter((path) => path.length > 1);
  return folders.map((path) => `${path}/`);
}

function machinePlaces({ files }: Tree): string[] {
  const folders = machineFolders();
  return byLine(
    files.filter(({ path }) => !isTidy(path)),
    (line, file) => {
      // The home of root is the same on every machine, so a test may speak of it.
      const mayName = (path: string) => path === '/root/' && file.path.startsWith('test/');
      const folder = folders.find((path) => {
        if (mayName(path)) return false;
        const at = line.indexOf(path);
        return at >= 0 && !/[\w.~-]/.test(line[at - 1] ?? ' ');
      });
      if (folder !== undefined) return `names ${folder}, a folder of one machine`;
      const resolved = /"resolved": "(?!file:)/.test(line) || /https?:\/\/registry\./.test(line);
      return resolved ? 'names the host of a registry' : undefined;
    },
  );
}

const variable = /^ {2}([A-Z][A-Z0-9_]+): /;

function untoldVariables({ files }: Tree): string[] {
  const readme = files.find(({ path }) => path === 'README.md')?.text ?? '';
  const config = files.filter(({ path }) => /^src\/(booking-)?config\.ts$/.test(path));
  return byLine(config, (line) => {
    const name = variable.exec(line)?.[1];
    return name === undefined || readme.includes(`\`${name}\``)
      ? undefined
      : `reads ${name}, which the README does not tell`;
  });
}

export const proseRules: readonly Rule[] = [
  {
    name: 'a link in the prose leads somewhere',
    offences: brokenLinks,
    refuses: treeOf({ 'README.md': 'See [the laws](docs/no-such-page.md).' }),
  },
  {
    name: 'a path named in the prose exists',
    offences: deadPaths,
    refuses: treeOf({ 'README.md': 'The kernel is `src/engine/no-such-file.ts`.' }),
  },
  {
    name: 'the changelog is a list of releases, newest first',
    offences: changelogForm,
    refuses: treeOf({ 'CHANGELOG.md': '# Changelog\n\n## soon\n' }),
  },
  {
    name: 'the README tells every variable that is read',
    offences: untoldVariables,
    refuses: treeOf({ 'src/config.ts': '  PORT: port.default(3000),', 'README.md': '' }),
  },
  {
    name: 'no file knows the machine it was written on, or the host of a registry',
    offences: machinePlaces,
    refuses: treeOf({ 'README.md': `Look into ${homedir()}/notes.` }),
  },
];
