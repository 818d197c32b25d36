import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ensureDemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { LAST_BUILD, spawnPart, type Part } from '../support/processes.js';
import { startQuoteProvider, type QuoteProvider } from '../support/quote-provider.js';
import { QUOTE_LEASE_MS } from './quotes/quotes.module.js';

// The API as it is run, with a handler in phases, killed at each of its recovery points. Nobody
// asks again: the sweep of another API, or of the same one when it is back, ends what was begun.

/** Below the build, so that the doors are found under their names. */
const FOLDER = join(LAST_BUILD, 'dist', `test-quotes-${process.pid}`);
const PROMISED_MS = QUOTE_LEASE_MS + 5_000;
const LIMIT = { limitMs: 20_000, everyMs: 20 };

let home: TestDatabase;
let database: Database;
let provider: QuoteProvider;
let customer: string;
const parts: Part[] = [];

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'phases test' });
  await database.query(`
    create table quote_steps (quote text not null, step text not null);
    grant select, insert on quote_steps to recourse_customer`);
  ({ customer } = await ensureDemoKeys(home.url));
  provider = await startQuoteProvider();
  writeConfiguration();
});
afterEach(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
  await database.query('truncate quote_steps, claims_at_work');
});
afterAll(async () => {
  await provider.close();
  await database.end();
  await home.drop();
  rmSync(FOLDER, { recursive: true, force: true });
});

function writeConfiguration(): void {
  const source = readFileSync(join(import.meta.dirname, 'quotes/quotes.module.ts'), 'utf8');
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    experimentalDecorators: true,
  };
  mkdirSync(FOLDER, { recursive: true });
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  writeFileSync(join(FOLDER, 'quotes.module.js'), outputText);
  writeFileSync(
    join(FOLDER, 'quotes.config.js'),
    `import { defineConfig } from 'recourse/config';
     import { QuotesModule } from './quotes.module.js';
     export default defineConfig({ sagas: [], acts: {}, providers: {}, modules: [QuotesModule] });`,
  );
}

async function startApi(): Promise<Part> {
  const part = await spawnPart('api', {
    DATABASE_URL: home.url,
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    RECOURSE_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    RECOURSE_CONFIG: join(FOLDER, 'quotes.config.js'),
    QUOTES_URL: provider.url,
    PORT: '0',
  });
  parts.push(part);
  return part;
}

function quote(api: Part, key: string): Promise<Response> {
  return fetch(`${String(api.ready['url'])}/v1/quotes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ thing: key }),
  });
}

/** Keeps everybody from writing into a table, until the answer is called. */
async function lock(table: string): Promise<() => Promise<void>> {
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query(`lock table ${table} in exclusive mode`);
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

const isWaitedFor = async (table: string): Promise<boolean> => {
  const waiting = `select from pg_locks where not granted and relation = $1::regclass`;
  return ((await database.query(waiting, [table])).rowCount ?? 0) > 0;
};
const nothing = async (): Promise<void> => undefined;

interface Point {
  /** Makes the API stop there; answers what lets the world go on. */
  readonly prepare: () => Promise<() => Promise<void>>;
  readonly isThere: (calls: number) => boolean | Promise<boolean>;
  /** The recovery point that is on record there. */
  readonly at: string;
}

/** Its first call of this kind is never answered; what is sent again is. */
function neverAnswer(path: string) {
  return async () => {
    let first = true;
    provider.decide = (call) => {
      const isFirst = first && call.path === path;
      if (isFirst) first = false;
      return isFirst ? null : { status: 200 };
    };
    return nothing;
  };
}
function answerAndLock(table: string) {
  return () => {
    provider.decide = () => ({ status: 200 });
    return lock(table);
  };
}

const POINTS: readonly (readonly [string, Point])[] = [
  [
    'while the first provider is asked',
    { prepare: neverAnswer('price'), isThere: (calls) => calls === 1, at: 'price' },
  ],
  [
    'while the first effects are written',
    {
      prepare: answerAndLock('quote_steps'),
      isThere: () => isWaitedFor('quote_steps'),
      at: 'price',
    },
  ],
  [
    'while the second provider is asked',
    { prepare: neverAnswer('fee'), isThere: (calls) => calls === 2, at: 'fee' },
  ],
  [
    'while the answer is written',
    { prepare: answerAndLock('claims'), isThere: () => isWaitedFor('claims'), at: 'offer' },
  ],
];

test.each(POINTS)(
  'input 4, row 10: an API that is killed %s leaves what another one ends by itself',
  async (what, { prepare, isThere, at }) => {
    const [api, other] = await Promise.all([startApi(), startApi()]);
    const seen = provider.calls.length;
    const goOn = await prepare();
    const lost = quote(api, what).then(
      ({ status }) => status,
      () => 'lost',
    );
    const there = () => isThere(provider.calls.length - seen);
    expect(await pollUntil(async () => (await there()) || undefined, LIMIT)).toBe(true);
    const { rows } = await database.query('select point, tries from claims_at_work');
    expect(rows).toEqual([{ point: at, tries: 0 }]);
    await api.kill9();
    const killedAt = performance.now();
    await goOn();
    expect(await lost).toBe('lost');

    const isOver = async () => {
      const left = await database.query('select from claims_at_work');
      return left.rowCount === 0 || undefined;
    };
    expect(await pollUntil(isOver, LIMIT)).toBe(true);
    expect(performance.now() - killedAt).toBeLessThan(PROMISED_MS);
    const steps = await database.query('select step from quote_steps');
    expect(steps.rows.map(({ step }) => step)).toEqual(['price', 'fee', 'offer']);
    const calls = provider.calls.slice(seen);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
    const replay = await quote(other, what);
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  },
);

test('an API that was killed alone ends its own work when it is back', async () => {
  const api = await startApi();
  const seen = provider.calls.length;
  await neverAnswer('fee')();
  const lost = quote(api, 'alone').catch(() => 'lost');
  expect(await pollUntil(() => provider.calls.length === seen + 2 || undefined, LIMIT)).toBe(true);
  await api.kill9();
  expect(await lost).toBe('lost');
  const back = await startApi();
  const isOver = async () =>
    (await database.query('select from claims_at_work')).rowCount === 0 || undefined;
  expect(await pollUntil(isOver, LIMIT)).toBe(true);
  expect((await quote(back, 'alone')).status).toBe(201);
  expect(back.output()).toContain('left in its middle');
});

test('input 20: an API that stood still longer than its lease changes nothing', async () => {
  const [api, other] = await Promise.all([startApi(), startApi()]);
  const seen = provider.calls.length;
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  provider.decide = async (_call, nth) => {
    if (nth === seen + 1) await held;
    return { status: 200 };
  };
  const late = quote(api, 'stood still');
  expect(await pollUntil(() => provider.calls.length === seen + 1, LIMIT)).toBe(true);
  api.signal('SIGSTOP');
  release();
  const isOver = async () => (await database.query('select from claims_at_work')).rowCount === 0;
  expect(await pollUntil(isOver, LIMIT)).toBe(true);
  api.signal('SIGCONT');
  expect((await late).status).toBe(409);
  const steps = await database.query('select step from quote_steps');
  expect(steps.rows.map(({ step }) => step)).toEqual(['price', 'fee', 'offer']);
  const prices = provider.calls.slice(seen).filter(({ path }) => path === 'price');
  expect(new Set(prices.map(({ key }) => key)).size).toBe(1);
  expect((await quote(other, 'stood still')).headers.get('idempotent-replayed')).toBe('true');
});

test('an API that is told to end answers what is at work in it, and leaves nothing', async () => {
  const api = await startApi();
  const seen = provider.calls.length;
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  provider.decide = async ({ path }) => {
    if (path === 'fee') await held;
    return { status: 200 };
  };
  const answer = quote(api, 'told to end');
  expect(await pollUntil(() => provider.calls.length === seen + 2 || undefined, LIMIT)).toBe(true);
  api.signal('SIGTERM');
  release();
  expect((await answer).status).toBe(201);
  expect(await api.exit).toMatchObject({ code: 0 });
  expect((await database.query('select from claims_at_work')).rowCount).toBe(0);
});
