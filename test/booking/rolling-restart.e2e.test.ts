import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDemoKeys, type DemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { Crowd } from '../support/crowd.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { startProduction, type Production } from '../support/production.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { freshNamespace, type TestNamespace } from '../support/temporal.js';
import { CONFIRMED, inToldOrder } from '../support/trip-effects.js';

/** So many are accepted between two restarts, so that each of them meets a busy house. */
const BETWEEN = 8;
const PATIENCE_MS = 120_000;

let database: TestDatabase;
let namespace: TestNamespace;
let sandbox: TestSandbox;
let keys: DemoKeys;
let db: pg.Pool;
let production: Production;

beforeAll(async () => {
  [database, namespace, sandbox] = await Promise.all([
    freshDatabase(),
    freshNamespace(),
    startSandbox(),
  ]);
  keys = await ensureDemoKeys(database.url);
  db = new pg.Pool({ connectionString: database.url, max: 4 });
  const urls = Object.entries(sandbox.providers);
  production = await startProduction({
    databaseUrl: database.url,
    temporal: namespace,
    deployer: {
      PUBLIC_URL: 'https://bookings.example.com',
      ...Object.fromEntries(urls.map(([name, url]) => [`${name.toUpperCase()}_URL`, url])),
    },
  });
}, PATIENCE_MS + 60_000);
afterAll(async () => {
  await production.close();
  await sandbox.stop();
  await namespace.close();
  await db.end();
  await database.drop();
});

async function count(query: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::integer as count ${query}`);
  return rows[0]?.count ?? -1;
}

/** What the sandbox says took effect, by run, in order, as `step kind`. */
async function effectsByRun(): Promise<ReadonlyMap<string, readonly string[]>> {
  const byRun = new Map<string, string[]>();
  for (const { reference, kind } of await sandbox.effects()) {
    const [run = '', ...step] = reference.split(':');
    byRun.set(run, [...(byRun.get(run) ?? []), `${step.join(':')} ${kind}`]);
  }
  return byRun;
}

test('each of the six is restarted under load: no booking is lost or doubled, no customer refused', async () => {
  const crowd = new Crowd(production.apiUrls, keys);
  await crowd.more(BETWEEN);
  expect(production.names).toHaveLength(6);
  for (const name of production.names) {
    const before = production.pid(name);
    expect([name, await production.restart(name)]).toEqual([
      name,
      expect.objectContaining({ code: 0 }),
    ]);
    expect(production.pid(name)).not.toBe(before);
    await crowd.more(BETWEEN);
  }
  await crowd.end();
  const { accepted, statuses } = crowd;

  // A status that asking again would not heal has ended the crowd, above.
  expect(statuses.get(0), 'an API that went was noticed').toBeGreaterThan(0);

  const ids = accepted.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await count('from runs')).toBe(ids.length);
  await expect
    .poll(() => count(`from runs where ended_at is null`), { timeout: PATIENCE_MS, interval: 200 })
    .toBe(0);
  expect(await count(`from runs where state <> 'completed'`)).toBe(0);
  expect(await count('from cases')).toBe(0);

  const effects = await effectsByRun();
  expect([...effects.keys()].toSorted()).toEqual(ids.toSorted());
  expect(
    ids.filter((id) => inToldOrder(effects.get(id) ?? []).join() !== CONFIRMED.join()),
  ).toEqual([]);

  // Either API answers each key as it was answered first.
  for (const [turn, booked] of accepted.entries()) {
    const again = await crowd.ask(booked, turn);
    expect([again?.status, again?.body.id]).toEqual([202, booked.id]);
  }
}, 240_000);
