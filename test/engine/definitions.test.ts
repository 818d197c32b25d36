import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInstallation } from '../../src/engine/configuration/open-installation.process.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recourse-definitions-'));
});
afterAll(() => rm(folder, { recursive: true }));

const SHOP = '{ shop: { keyWindowMs: null } }';
const act = (provider: string) => `{ kind: 'act', provider: '${provider}', perform: () => 1 }`;
const call = (run: string) => `{ run: '${run}', find: null }`;
const STEP = `{ name: 'a', at: 'shop', forward: ${call('order')}, undo: null }`;
const saga = (steps: string) => `[{ name: 'errand', version: 1, steps: [${steps}] }]`;
const MADE = `() => { throw new Error('nothing must be called'); }`;

async function open(name: string, sagas: string, providers: string, acts: string) {
  const file = join(folder, `${name}.mjs`);
  const modules = `() => { throw new Error('nothing must be called'); }`;
  const config = `{ sagas: ${sagas}, providers: ${providers}, acts: ${acts}, modules: ${modules} }`;
  await writeFile(file, `export default ${config};`);
  return openInstallation({ file, folder });
}

test.each([
  ['an object of acts', `{ order: ${act('shop')} }`, false],
  ['a function that makes them', MADE, true],
])('sagas that fit are read, and nothing is called: %s', async (_what, acts, makesActs) => {
  const installed = await open(makesActs ? 'made' : 'there', saga(STEP), SHOP, acts);
  expect(installed.definitions().versions()).toEqual(['errand@1']);
  expect(installed.makesActs).toBe(makesActs);
});

test.each([
  // name       sagas             providers  acts                          what is said
  ['no-act', saga(STEP), SHOP, '{}', 'errand version 1 › a: there is no act order'],
  [
    'near-act',
    saga(STEP),
    SHOP,
    `{ orders: ${act('shop')} }`,
    'errand version 1 › a: there is no act order, did you mean orders?',
  ],
  [
    'elsewhere',
    saga(STEP),
    SHOP,
    `{ order: ${act('stock')} }`,
    'errand version 1 › a: order is at stock, not shop',
  ],
  ['no-acts', saga(STEP), SHOP, '{ order: 7 }', '"acts": no act, undo or find is order: each has'],
  ['no-provider', saga(STEP), '{}', MADE, 'errand version 1 › a: there is no provider shop'],
  ['no-step', saga(''), SHOP, MADE, 'errand: has no step; add one with .step, .parallel or .pivot'],
  ['no-step-2', saga(''), SHOP, '{}', 'errand: has no step; add one with'],
  ['twice', saga(STEP).replace(/^\[(.*)\]$/, '[$1, $1]'), SHOP, MADE, 'errand@1 is listed twice'],
])('%s is refused with the path of the file', async (name, sagas, providers, acts, said) => {
  const installed = await open(name, sagas, providers, acts);
  expect(() => installed.definitions()).toThrow(
    expect.objectContaining({ name: 'ConfigurationInvalid' }),
  );
  expect(() => installed.definitions()).toThrow(`${installed.file}: ${said}`);
});
