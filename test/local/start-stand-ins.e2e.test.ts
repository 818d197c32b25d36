import { join, resolve } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { startLocal, type LocalStart } from '../../src/local/start-local.js';
import { openTerminal } from '../../src/local/terminal.process.js';
import { ownFolder } from '../support/owned-process.js';
import { freshDatabase } from '../support/postgres.js';
import { watchdogScript } from '../support/watchdog-script.js';
import { partsOf, remains } from './start-cli.js';

const standIn = (name: string) => resolve(import.meta.dirname, 'stand-ins', `${name}.mjs`);

let folder: string;
let port: number;
let printed: string;
let orderly: AbortController;
let atOnce: AbortController;

beforeEach(async () => {
  folder = join(ownFolder('stand-ins'), 'data');
  port = await freePort();
  printed = '';
  [orderly, atOnce] = [new AbortController(), new AbortController()];
});

/** A start over the shared servers, whose own parts are stand-ins. */
async function startWith(worker: string): Promise<0 | 1> {
  const database = await freshDatabase();
  const options: LocalStart = {
    env: {
      PATH: process.env.PATH,
      RECOURSE_DATA_DIR: folder,
      PORT: String(port),
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
    },
    verbose: false,
    installation: folder,
    configuration: undefined,
    node: process.execPath,
    files: {
      api: standIn('api'),
      worker: standIn(worker),
      relay: standIn('idle'),
      sandbox: standIn('idle'),
    },
    watchdogScript: watchdogScript(),
    terminal: openTerminal({ write: (text: string) => (printed += text) }),
    stop: { orderly: orderly.signal, atOnce: atOnce.signal },
    stories: [],
    readConfig,
    migrate: () => Promise.resolve([]),
    ensureDemoKeys: (_url, existing) =>
      Promise.resolve(existing ?? { customer: 'c', operator: 'o' }),
  };
  try {
    return await startLocal(options);
  } finally {
    await database.drop();
  }
}

const isReady = () => pollUntil(() => printed.includes('is ready.'), { limitMs: 30_000 });

test('a part that dies five times is named with its last 20 lines, and all of it ends', async () => {
  expect(await startWith('dying')).toBe(1);
  expect(printed).toMatch(/recourse: worker ended with code 3, for the fifth time within a minute/);
  const last = printed.slice(printed.indexOf('for the fifth time')).match(/ {2}reason \d+ of \d+/g);
  expect(last?.map((line) => line.replace(/ of .*/, '').trim())).toEqual(
    Array.from({ length: 20 }, (_nothing, index) => `reason ${index + 11}`),
  );
  expect([...partsOf(folder).keys()]).toEqual([]);
});

test('named servers are used, and none is started for them', async () => {
  const running = startWith('idle');
  expect(await isReady()).toBe(true);
  expect([...partsOf(folder).keys()].toSorted()).toEqual(['api', 'relay', 'sandbox', 'worker']);
  expect(printed).not.toContain('Temporal CLI');
  orderly.abort();
  expect(await running).toBe(0);
});

test('a second request ends at once what does not end by itself, and leaves nothing', async () => {
  const running = startWith('stubborn');
  expect(await isReady()).toBe(true);
  const parts = [...partsOf(folder).values()];
  orderly.abort();
  expect(await pollUntil(() => printed.includes('Stopping'), { limitMs: 5_000 })).toBe(true);
  const askedAt = performance.now();
  atOnce.abort();
  expect(await running).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(8_000);
  expect(await remains(parts)).toEqual([]);
});

test('a request during the start stops it', async () => {
  const running = startWith('never-ready');
  expect(await pollUntil(() => printed.includes('api:'), { limitMs: 30_000 })).toBe(true);
  const parts = [...partsOf(folder).values()];
  orderly.abort();
  expect(await running).toBe(0);
  expect(printed).not.toContain('is ready.');
  expect(await remains(parts)).toEqual([]);
});
