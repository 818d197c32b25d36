import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureDemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import {
  allThere,
  startAskableProviders,
  type AskableProviders,
} from '../support/askable-providers.js';
import { begin, endStep } from '../support/begun-trip.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import { TEST_KEYS } from '../support/idempotency-gate.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { spawnPart, type Part } from '../support/processes.js';
import { trip, tripSagas } from '../support/trip.js';

// The API as it is run, killed while it quotes and while it confirms. Nobody asks again: the sweep
// of another API ends what was begun, and nothing is cancelled that nobody has confirmed.

const LEASE_MS = 10_000;
const PROMISED_MS = LEASE_MS + 5_000;
const LIMIT = { limitMs: 30_000, everyMs: 20 };

let home: TestDatabase;
let database: Database;
let providers: AskableProviders;
let customer: string;
let booking: string;
/** Nobody kills it: what a test leaves behind is nothing to the next, which has another trip. */
let other: Part;
let parts: readonly [Part, Part];
let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
const sealer = createSealer(TEST_KEYS);

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'quotes test' });
  ({ customer } = await ensureDemoKeys(home.url));
  providers = await startAskableProviders();
  other = await startApi();
});
afterAll(async () => {
  await other.stop();
  await providers.close();
  await database.end();
  await home.drop();
});

function startApi(): Promise<Part> {
  return spawnPart('api', {
    DATABASE_URL: home.url,
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    RECOURSE_ENCRYPTION_KEYS: TEST_KEYS,
    PAYMENTS_URL: `${providers.url}/payments`,
    FLIGHTS_URL: `${providers.url}/flights`,
    PORT: '0',
  });
}

/** An API that may be killed beside the other one, and a trip whose money was taken. */
beforeEach(async () => {
  providers.decide = allThere;
  parts = [await startApi(), other];
  booking = (await post(parts[0], '/v1/bookings', trip())).body.id;
  const sagas = tripSagas();
  await begin({ database, sealer }, sagas, booking, 'charge');
  await endStep({ database }, sagas, booking, 'charge', { outcome: 'done', provider_id: null });
});
afterEach(() => parts[0].stop());

interface Answered {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: { readonly id: string; readonly token?: string };
}

async function post(
  api: Part,
  path: string,
  sent: object,
  key: string = newKey(),
): Promise<Answered> {
  const response = await fetch(`${String(api.ready['url'])}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(sent),
  });
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  const body = (await response.json()) as Answered['body'];
  return { status: response.status, replayed, body };
}

const quote = (api: Part, key?: string) =>
  post(api, `/v1/bookings/${booking}/cancellations`, {}, key);
const confirm = (api: Part, quoted: Answered, key?: string) =>
  post(api, `/v1/cancellations/${quoted.body.id}/confirm`, { token: quoted.body.token }, key);

const lost = (asked: Promise<Answered>): Promise<number | 'lost'> =>
  asked.then(
    ({ status }) => status,
    () => 'lost' as const,
  );

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

const isWaitedFor = async (table: string): Promise<true | undefined> => {
  const waiting = `select from pg_locks where not granted and relation = $1::regclass`;
  return ((await database.query(waiting, [table])).rowCount ?? 0) > 0 || undefined;
};

async function count(text: string): Promise<number> {
  return (await database.query(text, [booking])).rowCount ?? 0;
}
const quotes = () => count('select from quotes where run = $1::text');
const cancels = () => count(`select from interventions where run = $1::text and action = 'cancel'`);
const messages = () => count(`select from outbox where run = $1::text and kind = 'cancel'`);

interface Point {
  /** Makes the API stop there; answers what lets the world go on. */
  readonly prepare: () => Promise<() => Promise<void>>;
  readonly isThere: () => Promise<true | undefined>;
  /** The recovery point that is on record there. */
  readonly at: string;
}

function whileWriting(table: string, at: string): Point {
  return { prepare: () => lock(table), isThere: () => isWaitedFor(table), at };
}

let asked = 0;
const POINTS: readonly (readonly [string, Point])[] = [
  [
    'while payments is asked',
    {
      prepare: async () => {
        asked = providers.questions.length;
        providers.decide = () => null;
        return async () => {
          providers.decide = allThere;
        };
      },
      isThere: async () => providers.questions.length > asked || undefined,
      at: 'ask',
    },
  ],
  ['while it is offered', whileWriting('quotes', 'offer')],
  ['while its token is kept', whileWriting('tokens', 'offer')],
  ['while its answer is written', whileWriting('claims', 'offer')],
];

describe('a quote whose API is killed', () => {
  test.each(POINTS)('%s is ended by another one, by itself', async (_when, point) => {
    const [api] = parts;
    const goOn = await point.prepare();
    const answer = lost(quote(api, `quote ${booking}`));
    expect(await pollUntil(point.isThere, LIMIT)).toBe(true);
    const { rows } = await database.query('select point, tries from claims_at_work');
    expect(rows).toEqual([{ point: point.at, tries: 0 }]);
    await api.kill9();
    const killedAt = performance.now();
    await goOn();
    expect(await answer).toBe('lost');
    const isOver = async () =>
      (await database.query('select from claims_at_work')).rowCount === 0 || undefined;
    expect(await pollUntil(isOver, LIMIT)).toBe(true);
    expect(performance.now() - killedAt).toBeLessThan(PROMISED_MS);
    expect([await quotes(), await cancels()]).toEqual([1, 0]);
    const replay = await quote(other, `quote ${booking}`);
    expect(replay).toMatchObject({ status: 201, replayed: true, body: { state: 'quoted' } });
    expect((await confirm(other, replay)).status).toBe(202);
    expect([await cancels(), await messages()]).toEqual([1, 1]);
  });
});

describe('a confirmation whose API is killed', () => {
  /** Confirms, has the API die while it waits for a table, and answers the quote. */
  async function killedAt(table: string): Promise<Answered> {
    const [api] = parts;
    const quoted = await quote(api);
    const goOn = await lock(table);
    const answer = lost(confirm(api, quoted, `confirm ${booking}`));
    expect(await pollUntil(() => isWaitedFor(table), LIMIT)).toBe(true);
    await api.kill9();
    await goOn();
    expect(await answer).toBe('lost');
    return quoted;
  }

  const again = (quoted: Answered) =>
    pollUntil(async () => {
      const reply = await confirm(parts[1], quoted, `confirm ${booking}`);
      return reply.status === 409 ? undefined : reply;
    }, LIMIT);

  test.each(['tokens', 'quotes', 'runs', 'interventions', 'journal', 'outbox'])(
    'while it writes into %s has cancelled nothing, and does so once when it is asked again',
    async (table) => {
      const quoted = await killedAt(table);
      expect(await cancels()).toBe(0);
      const body = { status: 'cancelling' };
      expect(await again(quoted)).toMatchObject({ status: 202, replayed: false, body });
      expect([await cancels(), await messages()]).toEqual([1, 1]);
    },
  );

  test('with its answer and its commit on their way has cancelled once, and says so', async () => {
    const quoted = await killedAt('claims');
    expect(await pollUntil(async () => (await cancels()) === 1 || undefined, LIMIT)).toBe(true);
    const body = { status: 'cancelling' };
    expect(await again(quoted)).toMatchObject({ status: 202, replayed: true, body });
    expect([await cancels(), await messages()]).toEqual([1, 1]);
  });
});

test('twenty confirmations over two APIs cancel once', async () => {
  const quoted = await quote(parts[0]);
  const crowd = Array.from({ length: 20 }, (_, n) => confirm(parts[n % 2] ?? parts[0], quoted));
  const statuses = (await Promise.all(crowd)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([202, ...Array.from({ length: 19 }, () => 404)]);
  expect([await cancels(), await messages()]).toEqual([1, 1]);
});
