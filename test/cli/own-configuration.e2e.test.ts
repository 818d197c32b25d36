import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownFolder } from '../support/owned-process.js';
import { spawnNode } from '../support/processes.js';
import { runCli } from './run-cli.js';

let folder: string;
let wrong: string;
let empty: string;

beforeAll(() => {
  folder = ownFolder('configuration');
  wrong = join(folder, 'wrong.mjs');
  writeFileSync(wrong, 'export default { saga: [], providers: {}, acts: {} };\n');
  writeFileSync(join(folder, 'syntax.mjs'), 'export default {\n  sagas: :\n};\n');
  const texts = {
    'waits.mjs': 'await new Promise(() => undefined);',
    'exits.mjs': 'process.exit(0);',
    'exits-later.mjs': 'setTimeout(() => process.exit(3), 1); await new Promise(() => undefined);',
    'throws-later.mjs': `setTimeout(() => { throw new Error('later'); }, 1); await new Promise(() => undefined);`,
    'getter.mjs': `export default { get acts() { throw new Error('none'); } };`,
    'misfit.mjs':
      'const forward = { run: "order", find: null };' +
      'const steps = [{ name: "a", at: "shop", forward, undo: null }];' +
      'export default { sagas: [{ name: "errand", version: 1, steps }], acts: {},' +
      ' providers: { shop: { keyWindowMs: null } } };',
    'ticks.mjs':
      'setInterval(() => undefined, 1_000);' +
      'export default { sagas: [], providers: {}, acts: {} };',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  empty = join(folder, 'empty.mjs');
  writeFileSync(empty, 'export default { sagas: [], providers: {}, acts: {} };\n');
});

const SAID = 'wrong.mjs: unknown option "saga", did you mean "sagas"?; "sagas" is missing';

test('verbs are about the sagas of the configuration that is named', async () => {
  const { code, stdout } = await runCli(['sagas'], { RECOURSE_CONFIG: empty });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'No saga is installed.\n' });
});

test.each([
  [['sagas'], 'wrong.mjs', SAID],
  [['explore', 'book-trip'], 'wrong.mjs', SAID],
  [['bundle'], 'wrong.mjs', SAID],
  [['sagas'], 'syntax.mjs', "cannot be read: Unexpected token ':' ("],
  [['sagas'], 'syntax.mjs', 'syntax.mjs:2)'],
  [['sagas'], 'gone.mjs', 'RECOURSE_CONFIG: there is no file '],
  [['start', '--demo'], 'empty.mjs', '--demo plays the example, and here is '],
  [['sagas'], 'waits.mjs', 'waits.mjs: it waits for what does not come: look for an await'],
  [['start'], 'waits.mjs', 'waits.mjs: it waits for what does not come: look for an await'],
  [['sagas'], 'exits.mjs', 'exits.mjs: it ended this process with 0: let it, and what it imports'],
  [['start'], 'exits.mjs', 'exits.mjs: it ended this process with 0: let it, and what it imports'],
  [['bundle'], 'exits-later.mjs', 'exits-later.mjs: it ended this process with 3: '],
  [['bundle'], 'throws-later.mjs', 'throws-later.mjs cannot be read: later ('],
  [['graph', 'errand'], 'getter.mjs', 'getter.mjs cannot be read: none ('],
  [['sagas'], 'misfit.mjs', 'misfit.mjs: errand version 1 › a: there is no act order'],
  [['bundle'], 'misfit.mjs', 'misfit.mjs: errand version 1 › a: there is no act order'],
])('recourse %j with %s fails, and says why in one line', async (args, file, said) => {
  const { code, stdout, stderr } = await runCli(args, { RECOURSE_CONFIG: join(folder, file) });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(said);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('a verb ends when it is done, whatever the configuration has left running', async () => {
  const env = { RECOURSE_CONFIG: join(folder, 'ticks.mjs') };
  expect(await runCli(['sagas'], env)).toMatchObject({ code: 0, stderr: '' });
});

test('what a function will make is said not to be looked at yet', async () => {
  const { code, stdout, stderr } = await runCli(['sagas', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(2);
  expect(stderr).toMatch(
    /^A function makes the acts in .*: whether .* a worker or an API starts\.$/m,
  );
});

test('a start with a wrong configuration leaves everything as it is', async () => {
  const data = join(folder, 'data');
  const env = { RECOURSE_CONFIG: wrong, RECOURSE_DATA_DIR: data };
  expect(await runCli(['start'], env)).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(data)).toBe(false);
});

test.each(['api', 'worker', 'relay'] as const)(
  'the %s ends in one line before it opens anything',
  async (part) => {
    const process = await spawnNode(part, [], {
      RECOURSE_CONFIG: wrong,
      DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      RECOURSE_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    expect(await process.exit).toMatchObject({ code: 1 });
    expect(process.output()).toBe(`recourse-${part}: ${folder}/${SAID}`);
  },
);
