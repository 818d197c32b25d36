import { codeFolders, treeOf, type Rule, type Tree } from './tree.js';

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const catchAll = /(^|[-.])(utils?|helpers?|misc|commons?|lib|stuff|interfaces?)([-.]|$)/;

/** What may stand between the name and `.ts`: it says what the file may touch. */
const suffixes = new Set(
  [
    ['store', 'client', 'process', 'log'],
    ['controller', 'guard', 'interceptor', 'middleware', 'filter', 'module', 'provider', 'pipe'],
    ['decorator', 'command', 'saga', 'workflow', 'outcomes', 'tokens', 'config', 'd'],
  ].flat(),
);
const isSuffix = (part: string) => suffixes.has(part) || /^v\d+$/.test(part);

const isCode = (path: string) => codeFolders.some((folder) => path.startsWith(`${folder}/`));

/** The words that name domains: folders beside `engine`. */
function domainsIn(tree: Tree, folder: string): Set<string> {
  const names = tree.files
    .map(({ path }) => path.split('/'))
    .filter((parts) => parts[0] === folder && parts.length > 2)
    .map((parts) => parts[1] ?? '');
  return new Set(names.filter((name) => name !== 'engine'));
}

function missingHomes(tree: Tree): string[] {
  const homes = ['activities', 'workflows', 'test'];
  const inCode = [...domainsIn(tree, 'workflows'), ...domainsIn(tree, 'activities')];
  return [...new Set(inCode)].flatMap((domain) =>
    homes
      .filter((home) => !domainsIn(tree, home).has(domain))
      .map((home) => `${home}/${domain}:1 is missing: a domain has the same word in each folder`),
  );
}

const migrations = /^src\/engine\/database\/migrations\/(\d{4})_[a-z0-9_]+\.sql$/;

function strayOrMisnumberedSql({ files }: Tree): string[] {
  const sql = files.map(({ path }) => path).filter((path) => path.endsWith('.sql'));
  const numbered = sql.filter((path) => migrations.test(path)).toSorted();
  const gaps = numbered.filter((path, index) => Number(migrations.exec(path)?.[1]) !== index + 1);
  const named = files.filter(({ path }) => /\.(ts|json)$/.test(path)).map(({ text }) => text);
  const stray = sql
    .filter((path) => !migrations.test(path))
    .filter((path) => !named.some((text) => text.includes(path.split('/').at(-1) ?? path)));
  return [
    ...gaps.map((path) => `${path}:1 has the wrong number: migrations count 0001, 0002, …`),
    ...stray.map((path) => `${path}:1 is named by no code: delete it, or make it a migration`),
  ];
}

export const nameRules: readonly Rule[] = [
  {
    name: 'files and folders are named in kebab-case, with a suffix that is known',
    offences: ({ files }) =>
      files
        .filter(({ path }) => isCode(path) && /\.(ts|mts)$/.test(path))
        .flatMap(({ path }) => {
          const parts = path.split('/');
          const [name = '', ...between] = (parts.pop() ?? '').split('.').slice(0, -1);
          const odd = [...parts, name].find((part) => !kebab.test(part));
          if (odd !== undefined) return [`${path}:1 write \`${odd}\` in kebab-case`];
          const strange = path.startsWith('test/')
            ? undefined
            : between.find((part) => !isSuffix(part));
          return strange === undefined ? [] : [`${path}:1 \`.${strange}.ts\` is no known suffix`];
        }),
    refuses: treeOf({ 'src/engine/runs/runView.ts': '' }),
  },
  {
    name: 'no file is called by what it is not',
    offences: ({ files }) =>
      files
        .filter(({ path }) => isCode(path) && catchAll.test(path.split('/').at(-1) ?? ''))
        .map(({ path }) => `${path}:1 name it by the one thing it does`),
    refuses: treeOf({ 'src/engine/runs/run-utils.ts': '' }),
  },
  {
    name: 'a domain has its folder in workflows, activities and test',
    offences: missingHomes,
    refuses: treeOf({ 'workflows/parcels/send-parcel.v1.saga.ts': '' }),
  },
  {
    name: 'no folder is empty',
    offences: ({ emptyFolders }) => emptyFolders.map((path) => `${path}:1 is empty: delete it`),
    refuses: { files: [], emptyFolders: ['src/engine/desk'] },
  },
  {
    name: 'migrations are numbered without a gap, and no SQL file is dead',
    offences: strayOrMisnumberedSql,
    refuses: treeOf({
      'src/engine/database/migrations/0002_runs.sql': '',
      'src/engine/old.sql': '',
    }),
  },
];
