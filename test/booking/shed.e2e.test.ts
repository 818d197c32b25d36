import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createKey, ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import type { TurnedAway } from '../../src/engine/admission/turned-away.js';
import { tripBody, Visitor } from '../support/customer.js';
import { scrape } from '../support/exposition.js';
import { startHouse, type House } from '../support/house.js';
import { spawnPart, type Part } from '../support/processes.js';
import { startOwnTemporal, type OwnTemporal } from '../support/temporal.js';
import { CONFIRMED, effectsOf } from '../support/trip-effects.js';

// An API process that has too much to do, or nobody to hand it to, refuses at the door. What it
// refused is nowhere: not on record, not at Temporal, not at a provider.

const LIMIT_MS = 300_000;
const LIMIT = { timeout: 90_000, interval: 100 };
/** One after another of what takes long keeps a process late. */
const CROWD = 16;
/** Of each of two accounts: one by itself may use 15 of the 20 connections at once. */
const READERS = 30;

let temporal: OwnTemporal;
let house: House;
let stranger: string;
let api: Part;
/** All that any test of this file was told is accepted. */
const accepted: string[] = [];

beforeAll(async () => {
  temporal = await startOwnTemporal({ dbFile: true });
  house = await startHouse({ temporalAddress: temporal.address, env: { METRICS_PORT: '0' } });
  await ensureAccount(house.db, { id: 'zenith', name: 'Zenith' });
  stranger = (await createKey(house.db, { account: 'zenith', role: 'customer' })).key;
});
afterEach(() => api.stop());
afterAll(async () => {
  await house.close();
  await temporal.stop();
});

interface Asked {
  readonly key?: string;
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function book({ key = randomUUID(), as = house.keys.customer, headers, body }: Asked = {}) {
  const answer = await fetch(`${String(api.ready['url'])}/v1/bookings`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      ...headers,
    },
    body: body ?? JSON.stringify(tripBody()),
  });
  const { id, code } = (await answer.json()) as { id: string; code?: string };
  const isReplay = answer.headers.has('idempotent-replayed');
  if (answer.status === 202 && !isReplay) accepted.push(id);
  return {
    key,
    status: answer.status,
    code,
    isReplay,
    retryAfter: answer.headers.get('retry-after'),
  };
}

interface Trouble {
  readonly why: TurnedAway;
  readonly env?: Readonly<Record<string, string>>;
  /** Of the booking that is refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Brings it about; answers what ends it. */
  readonly begin: () => Promise<() => Promise<unknown>>;
}

/** So many ask again and again, until they are called off. */
function keepAsking(count: number, ask: (asker: number) => Promise<unknown>) {
  let isOver = false;
  const asker = async (_nobody: unknown, number: number): Promise<void> => {
    while (!isOver) await ask(number);
  };
  const all = Promise.all(Array.from({ length: count }, asker));
  all.catch(() => undefined);
  return () => {
    isOver = true;
    return all;
  };
}

/** Nearly as large as a body may be, of names that are read one by one, and none of a booking. */
const HEAVY = JSON.stringify(
  Object.fromEntries(Array.from({ length: 12_000 }, (_none, n) => [`n${n}`, n % 10])),
);

/** Holds a table as a migration does that nobody waits for. */
async function lockRuns(): Promise<() => Promise<unknown>> {
  const holder = await house.db.connect();
  await holder.query('begin');
  await holder.query('lock table runs in access exclusive mode');
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

async function read(as: string): Promise<void> {
  const headers = { authorization: `Bearer ${as}` };
  await (await fetch(`${String(api.ready['url'])}/v1/bookings`, { headers })).text();
}

const TROUBLES: readonly Trouble[] = [
  {
    why: 'deadline',
    headers: { 'recourse-deadline': new Date(0).toISOString() },
    begin: async () => async () => undefined,
  },
  {
    why: 'event-loop',
    env: { RECOURSE_SHED_LOOP_DELAY_MS: '10' },
    // Late by a little, which on any machine it becomes; in production it has to be half a second.
    begin: async () => keepAsking(CROWD, () => book({ as: stranger, body: HEAVY })),
  },
  {
    why: 'pool-wait',
    begin: async () => {
      const unlock = await lockRuns();
      const accounts = [house.keys.customer, stranger];
      const end = keepAsking(2 * READERS, (n) => read(accounts[n % 2] ?? ''));
      return async () => {
        await unlock();
        await end();
      };
    },
  },
  {
    why: 'backlog',
    env: { RECOURSE_SHED_BACKLOG_MS: '1000' },
    begin: async () => {
      await temporal.kill9();
      expect((await book()).status).toBe(202);
      return () => temporal.start();
    },
  },
];

/** How often the API says that it has refused for this. */
async function counted(reason: TurnedAway): Promise<number> {
  const seen = await scrape(api.ready['metrics']);
  return seen.sum('recourse_requests_turned_away_total', { reason }) ?? 0;
}

/** The runs that are in any table, at Temporal, or at a provider. */
async function seenAnywhere(): Promise<Record<string, readonly string[]>> {
  const { rows } = await house.db.query<{ record: string[] }>(
    `select coalesce(array_agg(distinct run), '{}') as record from (
       select id as run from runs union all select run from outbox
       union all select run from journal union all select run from events) as written`,
  );
  const temporal: string[] = [];
  for await (const { workflowId } of house.temporal.client.workflow.list()) {
    temporal.push(workflowId);
  }
  const asked = (await house.sandbox.requests()).map(({ reference }) => reference?.split(':')[0]);
  return {
    record: sorted(rows[0]?.record ?? []),
    temporal: sorted(temporal),
    providers: sorted(asked),
  };
}

const sorted = (runs: readonly (string | undefined)[]) =>
  [...new Set(runs.map((run) => run ?? 'nobody'))].toSorted();

async function claims(): Promise<number> {
  const { rows } = await house.db.query<{ count: number }>(
    `select ((select count(*) from claims) + (select count(*) from claims_at_work))::integer as count`,
  );
  return rows[0]?.count ?? -1;
}

/** Books until the API has refused for this, and answers the key that it has refused. */
async function refusedFor({ why, headers = {} }: Trouble): Promise<string> {
  let refused = '';
  await expect
    .poll(async () => {
      const { key, ...answer } = await book({ headers });
      refused = key;
      return (
        answer.code === 'overloaded' && Number(answer.retryAfter) > 0 && (await counted(why)) > 0
      );
    }, LIMIT)
    .toBe(true);
  return refused;
}

test.each(TROUBLES)(
  'a booking that is refused by $why leaves no row, no workflow, and asks no provider',
  async (trouble) => {
    api = await spawnPart('api', { ...house.env, ...trouble.env });
    const end = await trouble.begin();
    let key: string;
    try {
      key = await refusedFor(trouble);
    } finally {
      await end();
    }
    const { record } = await seenAnywhere();
    expect([record, await claims()]).toEqual([accepted.toSorted(), accepted.length]);

    // Nor is anything kept under its key: it books now, as if for the first time.
    await expect.poll(() => book({ key }), LIMIT).toMatchObject({ status: 202, isReplay: false });
    const visitor = new Visitor(house);
    for (const id of accepted) {
      await visitor.until(id, ['confirmed'], LIMIT.timeout);
      await expect.poll(() => effectsOf(house.sandbox, id), LIMIT).toEqual(CONFIRMED);
    }
    const all = accepted.toSorted();
    const everywhere = { record: all, temporal: all, providers: all };
    await expect.poll(seenAnywhere, LIMIT).toEqual(everywhere);
    expect(await claims()).toBe(all.length);
  },
  LIMIT_MS,
);
