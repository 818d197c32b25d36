import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'recourse/config';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkConfig } from '../../src/engine/configuration/define-config.js';
import { openInstallation } from '../../src/engine/configuration/open-installation.process.js';
import { findConfiguration } from '../../src/engine/configuration/read-configuration.process.js';
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
});

describe('a configuration that cannot be read', () => {
  test.each([
    ['thrown.mjs', `throw new TypeError('no such thing')`, /no such thing \(.*thrown\.mjs:1:7\)$/],
    ['lacking.mjs', `import './dist/acts.js'`, /cannot be read: Cannot find module .*dist\/acts/],
    ['syntax.mjs', 'export default {\n  sagas: :\n};', /cannot be read: /],
    ['nothing.mjs', '', /nothing\.mjs: write `export default defineConfig\(/],
    ['wrong.mjs', 'export default { saga: [] }', /wrong\.mjs: unknown option "saga", did you mean/],
  ])('%s says so in one line with its path', async (name, text, said) => {
    const file = await configFile(name, text);
    const opened = openInstallation({ file, folder });
    await expect(opened).rejects.toMatchObject({ name: 'ConfigurationInvalid' });
    await expect(opened).rejects.toThrow(said);
    await expect(opened).rejects.toThrow(new RegExp(`^${folder}/${name}`));
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

  test('is refused when its modules are none', async () => {
    const installation = await open('modules.mjs', 'acts: {}, modules: () => [7]');
    await expect(installation.modules()).rejects.toThrow(/modules\.mjs: "modules": a list of Nest/);
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
