import { byLine, codeOf, isTidy, treeOf, type Rule, type SourceFile } from './tree.js';

interface BannedWord {
  readonly name: string;
  readonly word: RegExp;
  /** What to write instead, and where. */
  readonly instead: string;
  readonly allowedIn: RegExp;
  readonly inComments?: true;
  readonly sample: string;
}

const nowhere = /^$/;
const roots =
  '^src/(main|worker|relay|cli|recourse\\.config|config)\\.ts$|^(src/sandbox|bench)/main\\.ts$';
const edges = '\\.(client|process|store|log|command)\\.ts$';
const timed =
  '\\.(client|process|log)\\.ts$|/(database|drain\\.provider)\\.ts$|^activities/engine/';
const makersOfSecrets =
  '^src/engine/(ids|accounts/api-key|sealing/seal|http/front-door\\.provider)\\.ts$';
/** In a workflow the SDK gives the time of the history, the same at every replay. */
const historyClock = '^workflows/engine/';
const tests = '^test/|^\\.ci/|^vitest\\.config\\.ts$';

const allowed = (...places: string[]) => new RegExp(places.join('|'));

const bannedInCode: readonly BannedWord[] = [
  {
    name: 'time comes in as an argument',
    word: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.hrtime\b/,
    instead: 'take `now` as an argument; only roots, *.client, *.process and *.store read a clock',
    allowedIn: allowed(roots, edges, historyClock, tests),
    sample: 'const at = Date.now();',
  },
  {
    name: 'chance comes in as an argument',
    word: /\bMath\.random\b/,
    instead: 'take `random: () => number` as an argument; only roots and edges make chance',
    allowedIn: allowed(roots, edges, tests),
    sample: 'const jitter = Math.random();',
  },
  {
    name: 'what nobody may guess is made in a few files',
    word: /\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b/,
    instead: 'take an id from src/engine/ids.ts, or as an argument',
    allowedIn: allowed(roots, edges, tests, makersOfSecrets, '^activities/engine/'),
    sample: 'const id = randomUUID();',
  },
  {
    name: 'timers live in *.process and *.client files',
    word: /\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\btimers\/promises\b/,
    instead: 'put the timer into a *.process.ts or *.client.ts',
    allowedIn: allowed(roots, timed, tests),
    sample: 'setTimeout(sweep, 1_000);',
  },
  {
    name: 'one file reads the environment',
    word: /\bprocess\.env\b/,
    instead: 'read it in src/config.ts; a root hands it over whole',
    allowedIn: allowed(roots, tests),
    sample: 'const port = process.env.PORT;',
  },
  {
    name: 'nothing writes to the console',
    word: /\bconsole\.\w/,
    instead: 'log through telemetry, or print through the printing file of the CLI',
    allowedIn: nowhere,
    sample: "console.log('here');",
  },
  {
    name: 'no check is switched off in a file',
    word: /@ts-ignore\b|@ts-nocheck\b|oxlint-disable|eslint-disable/,
    instead: 'repair the cause, or change the rule for everybody',
    allowedIn: nowhere,
    inComments: true,
    sample: '// @ts-ignore',
  },
  {
    name: 'statements live in *.store files',
    word: /\.query\(/,
    instead: 'put the statement into a *.store.ts',
    allowedIn: allowed('\\.(store|client)\\.ts$', '/(database|migrate)\\.ts$', tests),
    sample: "await tx.query('select 1');",
  },
  {
    name: 'requests live in *.client files',
    word: /\bfetch\(/,
    instead: 'put the call into a *.client.ts',
    allowedIn: allowed('\\.client\\.ts$', tests),
    sample: "await fetch('/charges');",
  },
  {
    name: 'no test is left out',
    word: /\b(test|it|describe)(\.\w+)*\.(only|skip|todo)\b/,
    instead: 'run every test; what cannot run here says why through the test context',
    allowedIn: nowhere,
    sample: "test.only('one of many is run', run);",
  },
];

const sqlWords = 'select insert update delete create alter drop from where values returning';
/** In capitals, and not the name of a constant or of a placeholder. */
const sqlKeyword = new RegExp(
  `(?<![{\\w])(?<!const )\\b(${sqlWords.toUpperCase().replaceAll(' ', '|')})\\b(?!\\s*[=}])`,
);
const barePlaceholder = /\$\d+(?![\d:]|::)/;

const isSql = ({ path }: SourceFile) => path.endsWith('.sql') && !path.endsWith('schema.sql');
const isStore = ({ path }: SourceFile) => path.startsWith('src/') && path.endsWith('.store.ts');

export const wordRules: readonly Rule[] = [
  ...bannedInCode.map(({ name, word, instead, allowedIn, inComments, sample }): Rule => ({
    name,
    offences: (tree) =>
      byLine(
        codeOf(tree).filter(({ path }) => !allowedIn.test(path)),
        (line) => {
          const found = isComment(line) && !inComments ? null : word.exec(line);
          return found ? `\`${found[0]}\` is banned here: ${instead}` : undefined;
        },
      ),
    refuses: treeOf({ 'src/engine/runs/sample.ts': sample }),
  })),
  {
    name: 'nothing is left for later',
    offences: ({ files }) =>
      byLine(
        files.filter(({ path }) => !isTidy(path) && path !== '.oxlintrc.json'),
        (line) =>
          /\b(TODO|FIXME)\b|(\/\/|--|#).*\bXXX\b/.test(line)
            ? 'do it now, or file an issue'
            : undefined,
      ),
    refuses: treeOf({ 'src/engine/database/migrations/0001_a.sql': '-- FIXME' }),
  },
  {
    name: 'SQL keywords are lower case',
    offences: ({ files }) =>
      byLine(
        files.filter((file) => isSql(file) || isStore(file)),
        (line) => {
          const found = isComment(line) ? null : sqlKeyword.exec(line);
          return found ? `write \`${found[0].toLowerCase()}\`` : undefined;
        },
      ),
    refuses: treeOf({ 'src/engine/runs/runs.store.ts': "const sql = 'SELECT 1';" }),
  },
  {
    name: 'a parameter of a statement says its type',
    offences: ({ files }) =>
      byLine(files.filter(isStore), (line) => {
        const found = isComment(line) ? null : barePlaceholder.exec(line);
        return found ? `cast it: \`${found[0]}::text\`, \`::uuid\`, …` : undefined;
      }),
    refuses: treeOf({ 'src/engine/runs/runs.store.ts': "const sql = 'where id = $1';" }),
  },
];

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/?\*|--)/.test(line);
}
