import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { tripBody, Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { spawnPart, type Part } from '../support/processes.js';
import { CONFIRMED, effectsOf } from '../support/trip-effects.js';

// Everybody posts one booking under one key at the same moment, to two API processes.

const CROWD = 1_000;
const ROUNDS = 3;
/** A thousand clients, three servers and six processes share two cores that may be busy. */
const LIMIT_MS = 300_000;
const PATIENCE_MS = 60_000;

let house: House;
let other: Part;
let urls: readonly string[];
/** Of an account that may ask for as much as any; that of the house may for more. */
let customer: string;

beforeAll(async () => {
  house = await startHouse({
    env: {
      // How late a process is tells of this machine; how many it takes on is as in production.
      RECOURSE_SHED_LOOP_DELAY_MS: '60000',
      RECOURSE_SHED_POOL_WAIT_MS: '60000',
    },
  });
  other = await spawnPart('api', house.env);
  urls = [house.url, String(other.ready['url'])];
  await ensureAccount(house.db, { id: 'acme', name: 'Acme' });
  customer = (await createKey(house.db, { account: 'acme', role: 'customer' })).key;
});
afterAll(async () => {
  await other.stop();
  await house.close();
});

interface Heard {
  readonly status: number;
  readonly text: string;
  readonly replayed: unknown;
  readonly location: unknown;
  readonly retryAfter: unknown;
}

/** So many post at once, each on a connection of its own, by turns to the one and the other. */
async function crowd(count: number, key: string): Promise<readonly Heard[]> {
  const connections = new Agent({ connect: { timeout: PATIENCE_MS } });
  const post = async (_nobody: unknown, n: number): Promise<Heard> => {
    const { statusCode, headers, body } = await request(`${urls[n % urls.length]}/v1/bookings`, {
      dispatcher: connections,
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(tripBody()),
    });
    return {
      status: statusCode,
      text: await body.text(),
      replayed: headers['idempotent-replayed'],
      location: headers['location'],
      retryAfter: headers['retry-after'],
    };
  };
  try {
    return await Promise.all(Array.from({ length: count }, post));
  } finally {
    await connections.close();
  }
}

/** The runs that Temporal was to be told of, in order. */
async function begun(): Promise<readonly string[]> {
  const { rows } = await house.db.query<{ run: string }>(
    `select run from outbox where kind = 'start' order by id`,
  );
  return rows.map(({ run }) => run);
}

async function count(table: 'runs' | 'claims'): Promise<number> {
  const { rows } = await house.db.query<{ count: number }>(
    `select count(*)::integer as count from ${table}`,
  );
  return rows[0]?.count ?? -1;
}

const codeOf = ({ text }: Heard): unknown => JSON.parse(text).code;

/** Expects one of them to be the first, the others to hear it or to be told to ask again. */
function theAnswer(heard: readonly Heard[]): Heard {
  const [first, ...more] = heard.filter(
    ({ status, replayed }) => status === 202 && replayed === undefined,
  );
  expect(more).toEqual([]);
  if (first === undefined) throw new Error('nobody was the first');
  const replay = { ...first, replayed: 'true' };
  for (const one of heard) {
    if (one === first) continue;
    if (one.status === 202) expect(one).toEqual(replay);
    else expect([one.status, one.retryAfter, codeOf(one)]).toEqual([409, '1', 'in-progress']);
  }
  return first;
}

test(
  'a thousand posts of one key at two processes make one run; the rest hear it, or 409',
  async () => {
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = randomUUID();
      const heard = await crowd(CROWD, key);
      const first = theAnswer(heard);
      ids.push(JSON.parse(first.text).id);
      // Whoever was told to ask again does: at the other process too it is the first answer.
      const told = heard.filter(({ status }) => status === 409).length;
      for (const one of await crowd(Math.max(told, urls.length), key)) {
        expect(one).toEqual({ ...first, replayed: 'true' });
      }
    }
    expect(await begun()).toEqual(ids);
    expect([await count('runs'), await count('claims')]).toEqual([ROUNDS, ROUNDS]);
    const visitor = new Visitor({ url: house.url, keys: { ...house.keys, customer } });
    for (const id of ids) {
      await visitor.until(id, ['confirmed']);
      await expect.poll(() => effectsOf(house.sandbox, id)).toEqual(CONFIRMED);
    }
    const asked = (await house.sandbox.requests()).map(({ reference }) => reference?.split(':')[0]);
    expect(new Set(asked)).toEqual(new Set(ids));
  },
  LIMIT_MS,
);
