import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'recourse/config';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkConfig } from '../../src/engine/configuration/define-config.js';
import { openInstallation } from '../../src/engine/configuration/open-installation.process.js';
import { findConfiguration } from '../../src/engine/configuration/find-configuration.process.js';
import { readConfiguration } from '../../src/engine/configuration/read-configuration.process.js';
import type { AnyAct } from '../../src/engine/saga/act.js';
import { workflowSource } from '../../src/engine/worker/workflow-source.js';
import { inARow, sideBySide } from './saga/parcels.js';

const act = { kind: 'act', provider: 'shop', parse: String } as const;
const acts = { order: { ...act, perform: async () => ({ kind: 'done', value: '' }) } as AnyAct };
const providers = { shop: { keyWindowMs: null } };
const right = { sagas: [inARow], providers, acts };

describe('defineConfig', () => {
  test('gives back what it was given, frozen', () => {
    const config = defineConfig(right);
    expect(config).toEqual(right);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test.each([
    // what a file says                                      what is wrong with it
    [undefined, /^write `export default defineConfig\(/],
    [[right], /^write `export default defineConfig\(/],
    [{ ...right, sagas: undefined, saga: [] }, /^unknown option "saga", did you mean "sagas"\?/],
    [{ ...right, colour: 'red' }, /^unknown option "colour", there is sagas, providers, acts, /],
    [{}, /^"sagas" is missing; "providers" is missing; "acts" is missing$/],
    [{ ...right, sagas: inARow }, /^"sagas": a list of what defineSaga answers expected$/],
    [{ ...right, sagas: [inARow, null] }, /^"sagas"\[1\]: what defineSaga answers expected$/],
    [{ ...right, providers: [] }, /^"providers": an object, by the name of each, expected$/],
    [{ ...right, providers: { shop: {} } }, /^"providers"."shop": "keyWindowMs": whole milli/],
    [
      { ...right, providers: { shop: { keyWindowMs: null, setlesMs: 5 } } },
      /^"providers"."shop": unknown option "setlesMs", did you mean "settlesMs"\?$/,
    ],
    [
      { ...right, providers: { shop: { keyWindowMs: null, settlesMs: 0.5 } } },
      /^"providers"."shop": "settlesMs": whole milliseconds expected$/,
    ],
    [{ ...right, acts: 'order' }, /^"acts": an object, or a function that answers one, expected$/],
    [{ ...right, modules: {} }, /^"modules": a list of Nest modules, or a function/],
    [{ ...right, bundle: 7 }, /^"bundle": the path of a file expected$/],
  ])('of %j says what is wrong, by name', (value, said) => {
    expect(() => checkConfig(value)).toThrow(said);
  });
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recourse-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

const BUILT_IN = pathToFileURL('/package/dist/src/recourse.config.js');

/** A file of its own; nothing in it is a package, so that it can be read anywhere. */
async function configFile(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

describe('the configuration of a process', () => {
  const find = (named: string | null = null) =>
    findConfiguration({ cwd: folder, named, builtIn: BUILT_IN });

  test('is the built-in one where no team has its own', () => {
    expect(find()).toEqual({
      ...{ file: '/package/dist/src/recourse.config.js', folder: '/package/dist/src' },
      isBuiltIn: true,
    });
  });

  test.each(['recourse.config.mjs', 'recourse.config.js'])('is %s beside it', async (name) => {
    const file = await configFile(name, '');
    expect(find()).toEqual({ file, folder, isBuiltIn: false });
    await rm(file);
  });

  test('is the one that is named, as seen from there', async () => {
    const file = await configFile('other.js', '');
    expect(find('other.js')).toEqual({ file, folder, isBuiltIn: false });
    expect(find(file).file).toBe(file);
  });

  test('is refused when the named one is not there, or there are two', async () => {
    expect(() => find('gone.js')).toThrow(`RECOURSE_CONFIG: there is no file ${folder}/gone.js`);
    const both = ['recourse.config.mjs', 'recourse.config.js'];
    const files = await Promise.all(both.map((name) => configFile(name, '')));
    expect(() => find()).toThrow(/recourse\.config\.js and recourse\.config\.mjs: keep one/);
    await Promise.all(files.map((file) => rm(file)));
  });

  const UNREAD = ['ts', 'mts', 'cts', 'cjs', 'json'].map((ending) => `recourse.config.${ending}`);
  const WHAT_TO_DO =
    'what is looked for is a file recourse.config.js, an ES module; RECOURSE_CONFIG names another';

  type Put = (file: string) => Promise<unknown>;
  const IRREGULAR: readonly (readonly [name: string, fault: string, put: Put])[] = [
    ['recourse.config.js', 'is a folder', (file) => mkdir(file)],
    ['recourse.config.mjs', 'is a folder', (file) => mkdir(file)],
    [
      'recourse.config.js',
      'is a symbolic link to gone.js, which is not there',
      (file) => symlink('gone.js', file),
    ],
    [
      'recourse.config.js',
      'cannot be looked at (ELOOP)',
      (file) => symlink('recourse.config.js', file),
    ],
    ['recourse.config.js', 'is no regular file', (file) => symlink('/dev/null', file)],
  ];
  const unread: Put = (file) => writeFile(file, '');

  test.each([...UNREAD.map((name) => [name, 'is not read', unread] as const), ...IRREGULAR])(
    'is not the example where %s %s',
    async (name, fault, put) => {
      const file = join(folder, name);
      await put(file);
      const message = `${file} ${fault}; ${WHAT_TO_DO}`;
      expect(() => find()).toThrow(
        expect.objectContaining({ name: 'ConfigurationInvalid', message }),
      );
      await rm(file, { recursive: true });
    },
  );

  test.each(IRREGULAR)('is not %s where that is named and %s', async (name, fault, put) => {
    const file = join(folder, name);
    await put(file);
    expect(() => find(name)).toThrow(`${file}, which RECOURSE_CONFIG names, ${fault}`);
    await rm(file, { recursive: true });
  });

  test.each(UNREAD)('is recourse.config.js, whatever %s lies beside it', async (name) => {
    const files = [await configFile(name, ''), await configFile('recourse.config.js', '')];
    expect(find().file).toBe(files[1]);
    await Promise.all(files.map((file) => rm(file)));
  });
});

const listening = process.listenerCount('beforeExit');

describe('a configuration that cannot be read', () => {
  test.each([
    ['thrown.mjs', `throw new TypeError('no such thing')`, /no such thing \(.*thrown\.mjs:1:7\)$/],
    ['lacking.mjs', `import './dist/acts.js'`, /cannot be read: Cannot find module .*dist\/acts/],
    ['syntax.mjs', 'export default {\n  sagas: :\n};', /cannot be read: /],
    ['nothing.mjs', '', /nothing\.mjs: write `export default defineConfig\(/],
    ['wrong.mjs', 'export default { saga: [] }', /wrong\.mjs: unknown option "saga", did you mean/],
    ['words.mjs', `throw 'not today'`, /cannot be read: not today$/],
    ['bare.mjs', 'throw Object.create(null)', /cannot be read: \[Object: null prototype\] \{\}$/],
    [
      'getter.mjs',
      `export default { get acts() { throw new Error('none'); } }`,
      /cannot be read: none \(.*getter\.mjs:1:\d+\)$/,
    ],
  ])('%s says so in one line with its path', async (name, text, said) => {
    const file = await configFile(name, text);
    const opened = openInstallation({ file, folder });
    await expect(opened).rejects.toMatchObject({ name: 'ConfigurationInvalid' });
    await expect(opened).rejects.toThrow(said);
    await expect(opened).rejects.toThrow(new RegExp(`^${folder}/${name}`));
  });

  test('one that never ends is given up after a while, where something may still end it', async () => {
    const file = await configFile('endless.mjs', 'await new Promise(() => undefined);');
    const said = `${file}: it waits for what does not come: look for an await that never ends`;
    await expect(readConfiguration(file, 20)).rejects.toThrow(said);
    expect(process.listenerCount('beforeExit')).toBe(listening);
  });
});

describe('what is installed', () => {
  const surroundings = { env: { URL: 'x' }, onAnswer: () => undefined, warn: () => undefined };
  const open = async (name: string, rest: string) => {
    const text = `export default { sagas: [], providers: { shop: { keyWindowMs: 5 } }, ${rest} }`;
    return openInstallation({ file: await configFile(name, text), folder });
  };
  const ACT = `{ kind: 'act', provider: 'shop', parse: String, perform: () => 1 }`;

  test('has the acts that its function makes with the surroundings', async () => {
    const installation = await open('made.mjs', `acts: ({ env }) => ({ [env.URL]: ${ACT} })`);
    const sagas = installation.install(surroundings, null);
    expect(sagas.act('x')).toMatchObject({ kind: 'act', provider: 'shop' });
    expect(sagas.keyWindowMs('shop')).toBe(5);
    expect(installation.install(surroundings, 70).settlesMs('shop')).toBe(70);
    expect(installation.bundlePath).toBe(join(folder, 'workflow-bundle.js'));
    expect(await installation.modules()).toEqual([]);
  });

  test.each([
    ['none.mjs', 'acts: () => null', /none\.mjs: "acts" answered no object$/],
    ['odd.mjs', `acts: { pay: ${ACT}, go: {} }`, /"acts": no act, undo or find is go: each has/],
    [
      'throws.mjs',
      `acts: () => { throw new Error('SHOP_URL: is not set') }`,
      /throws\.mjs: the acts cannot be made: SHOP_URL: is not set$/,
    ],
  ])('is refused when its acts cannot be made: %s', async (name, rest, said) => {
    const installation = await open(name, rest);
    expect(() => installation.install(surroundings, null)).toThrow(said);
  });

  test.each([
    ['seven.mjs', 'modules: () => [7]', /seven\.mjs: "modules": a list of Nest modules expected$/],
    [
      'unbuilt.mjs',
      `modules: async () => [await import('./gone.js')]`,
      /unbuilt\.mjs: the modules cannot be made: Cannot find module .*gone\.js/,
    ],
  ])('is refused when its modules cannot be made: %s', async (name, rest, said) => {
    const installation = await open(name, `acts: {}, ${rest}`);
    await expect(installation.modules()).rejects.toThrow(said);
  });
});

describe('the workflows of sagas', () => {
  test('are one a name, with every version in it, and without its functions', () => {
    const source = workflowSource([sideBySide, inARow], '/driver.js');
    expect(source.match(/export \{/g)).toHaveLength(1);
    expect(source).toContain('import { runSaga } from "/driver.js";');
    expect(source).toContain('export { workflow0 as "send-parcel" };');
    expect(source).not.toMatch(/"input"/);
    expect(workflowSource([inARow, sideBySide], '/driver.js')).toBe(source);
  });

  test('know all that is data', () => {
    const [, versions = ''] =
      /^const versions0 = (.*);$/m.exec(workflowSource([inARow], 'd')) ?? [];
    const known: unknown = JSON.parse(versions);
    expect(known).toEqual([JSON.parse(JSON.stringify(inARow))]);
    expect(known).toMatchObject([{ name: 'send-parcel', version: 1, deadlineMs: null }]);
  });
});
