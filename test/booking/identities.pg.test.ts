import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/engine/accounts/accounts.store.js';
import { newId } from '../../src/engine/ids.js';
import { PUBLIC_URL, type TestApi } from '../support/api.js';
import { append, stepUnknown } from '../support/append.js';
import { doSteps } from '../support/begun-trip.js';
import { describedApi } from '../support/described-api.js';
import { hearLocked } from '../support/heard-statements.js';
import { operationsOf, type Operation } from '../support/operations.js';
import { startQuotingApi, type QuotingApi } from '../support/quoting-api.js';
import { trip } from '../support/trip.js';

// Every operation of the description is asked by everybody, about what is acme's and about what
// nobody has. A new operation is asked too, and has to follow the same rules.

const operations = operationsOf(await describedApi(PUBLIC_URL));

/** What nobody but acme, and operators where they may see every account, may ever be shown. */
const CANARY = 'canary-of-acme';
/** Collections of which acme has nothing here, and why. */
const NOTHING_OF: Readonly<Record<string, string>> = {
  problems: 'they are nobody’s: the same for all',
};
const SECRETS = { reference: CANARY, metadata: { of: CANARY }, traveller: traveller() };

let house: QuotingApi;
let api: TestApi;
type Identity = string;
/** What acme has, by collection. */
let own: Readonly<Record<string, string>>;
/** As they stand in Authorization; null: it is left out. */
let identities: Readonly<Record<Identity, string | null>>;
/** Where no example can be right. */
const CONFIRM = '/v1/cancellations/{id}/confirm';
let token = '';
let heard: string[];
let keys = 0;

const STRANGERS_TO_ALL = [
  'nobody',
  'nonsense',
  'no key of ours',
  'an expired key',
  'a revoked key',
];
const FOREIGN = ['a customer of zenith', 'an operator of zenith'];
const OWN = ['a customer of acme', 'an operator of acme'];
const EVERYBODY: readonly Identity[] = [...STRANGERS_TO_ALL, ...FOREIGN, ...OWN];

function traveller() {
  return { name: CANARY, email: `${CANARY}@example.com` };
}

beforeAll(async () => {
  house = await startQuotingApi();
  api = house.api;
  const make = (account: string, role: 'customer' | 'operator', lifeMs: number | null = null) =>
    createKey(api.database, { account, role, lifeMs });
  const revoked = await make('acme', 'customer');
  await revokeKey(api.database, revoked.id);
  const { customer, operator, stranger } = api.keys;
  identities = {
    nobody: null,
    nonsense: 'Bearer nonsense',
    'no key of ours': `Bearer rk_live_none_${'a'.repeat(43)}`,
    'an expired key': `Bearer ${(await make('acme', 'operator', 1)).key}`,
    'a revoked key': `Bearer ${revoked.key}`,
    'a customer of zenith': `Bearer ${stranger}`,
    'an operator of zenith': `Bearer ${(await make('zenith', 'operator')).key}`,
    'a customer of acme': `Bearer ${customer}`,
    'an operator of acme': `Bearer ${operator}`,
  };
  own = await makeOwn();
  heard = hearLocked(api.database);
});
afterAll(() => house.close());

/** A trip of acme that waits for a person, and its case. */
async function makeOwn(): Promise<Readonly<Record<string, string>>> {
  const book = async (body: object): Promise<string> =>
    JSON.parse((await send(asking('/v1/bookings', body), 'a customer of acme')).text).id;
  const run = await book(trip(SECRETS));
  // For a list of two pages.
  await book(trip({ ...SECRETS, reference: `${CANARY}-2` }));
  const problem = { kind: 'case-opened', case: newId('case'), problem: 'unknown-outcome' } as const;
  await doSteps(api, house.sagas, run, 'charge', 'flight');
  await append(api.database, house.sagas, run, ...stepUnknown('hotel'), {
    ...problem,
    step: 'hotel',
    direction: 'do',
  });
  const quote = await send(asking(`/v1/bookings/${run}/cancellations`, {}), 'a customer of acme');
  if (quote.status !== 201) throw new Error(quote.text);
  const { id: cancellations, token: given } = JSON.parse(quote.text);
  token = given;
  return { bookings: run, runs: run, cases: problem.case, cancellations };
}

const asking = (path: string, body?: unknown): Operation => ({
  ...{ method: body === undefined ? 'GET' : 'POST', path, body },
  ...{ needs: 'key', collection: null, streams: false },
});

interface Answered {
  readonly status: number;
  /** Without those that differ between any two answers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

async function send(asked: Operation, as: Identity, id = ''): Promise<Answered> {
  const { method, streams, body } = asked;
  const authorization = identities?.[as] ?? (as === OWN[0] ? `Bearer ${api.keys.customer}` : null);
  const isPost = method === 'POST';
  const stop = new AbortController();
  const response = await fetch(`${api.url}${asked.path.replace(/\{\w+\}/, id)}`, {
    method,
    signal: stop.signal,
    headers: {
      accept: streams ? 'text/event-stream' : 'application/json',
      ...(authorization === null ? {} : { authorization }),
      ...(isPost
        ? { 'idempotency-key': `k${(keys += 1)}`, 'content-type': 'application/json' }
        : {}),
    },
    ...(isPost ? { body: JSON.stringify(asked.path === CONFIRM ? { token } : (body ?? {})) } : {}),
  });
  const { status, headers } = response;
  const { date: _date, 'request-id': _id, ratelimit: _left, ...kept } = Object.fromEntries(headers);
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? '' : await response.text();
  if (isStream) stop.abort();
  return { status, headers: kept, text: text.replace(/"request_id":"[^"]*"/, '') };
}

/** An id as those of the collection look, that nobody has. */
function nobodys(id: string): string {
  return id.replace(/_.*/, `_${'a'.repeat(26)}`);
}

const named = operations.map((one) => [`${one.method} ${one.path}`, one] as const);
const locked = named.filter(([, { needs }]) => needs !== 'nothing');
const operators = named.filter(([, { needs }]) => needs === 'operator');
const customers = named.filter(([, { needs }]) => needs === 'key');
const withId = locked.filter(([, { collection }]) => collection !== null && !isNobodys(collection));
function isNobodys(collection: string): boolean {
  return collection in NOTHING_OF;
}
const idIn = ({ collection }: Operation): string => own[collection ?? ''] ?? '';

test('of each collection that the description has, acme has something here', () => {
  const collections = withId.map(([, { collection }]) => collection ?? '');
  expect([...new Set(collections)].filter((one) => !(one in own))).toEqual([]);
  expect(withId.length).toBeGreaterThanOrEqual(9);
});

describe.each(named.filter(([, { needs }]) => needs === 'nothing'))('%s is open', (_name, one) => {
  test('and answers everybody alike', async () => {
    const answers = await Promise.all(EVERYBODY.map((who) => send(one, who, 'internal')));
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

test.each(locked)(
  '%s answers who has no valid key 401, one like the other, whatever it is about',
  async (_name, one) => {
    const ids = [idIn(one), nobodys(idIn(one))];
    const asked = STRANGERS_TO_ALL.flatMap((who) => ids.map((id) => send(one, who, id)));
    const answers = await Promise.all(asked);
    expect(answers[0]).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  },
);

test.each(operators)('%s answers customers 403, whosever it is', async (_name, one) => {
  for (const who of ['a customer of zenith', 'a customer of acme']) {
    const asked = [send(one, who, idIn(one)), send(one, who, nobodys(idIn(one)))];
    const [known, unknown] = await Promise.all(asked);
    expect(known?.status).toBe(403);
    expect(known).toEqual(unknown);
  }
});

test.each(customers)('%s shows those of another account nothing of acme’s', async (_name, one) => {
  for (const who of FOREIGN) {
    const { text, headers } = await send(one, who, idIn(one));
    const said = text + JSON.stringify(headers);
    for (const secret of [CANARY, ...Object.values(own)]) expect(said).not.toContain(secret);
  }
});

test.each(customers.filter(([, { collection }]) => collection !== null))(
  '%s answers those of another account as if there were nothing, and does no more',
  async (_name, one) => {
    for (const who of FOREIGN) {
      await send(one, who, nobodys(idIn(one)));
      heard.length = 0;
      const theirs = await send(one, who, idIn(one));
      const done = heard.splice(0);
      expect(done).not.toEqual([]);
      expect(await send(one, who, nobodys(idIn(one)))).toEqual(theirs);
      expect(theirs.status).toBe(404);
      expect(heard).toEqual(done);
    }
  },
);

test('nothing of all that has changed what is acme’s', async () => {
  const { rows } = await api.database.query(
    `select last_seq, cancel_requested_at, cases.revision,
       (select count(*)::integer from outbox where run = runs.id) as messages,
       (select count(*)::integer from interventions) as interventions
     from runs join cases on cases.run = runs.id`,
  );
  expect(rows).toEqual([
    { last_seq: 8, cancel_requested_at: null, revision: 1, messages: 1, interventions: 0 },
  ]);
});

describe('what points at something of another account by the way', () => {
  test.each([
    [`/v1/bookings?reference=${CANARY}`, 200],
    ['/v1/bookings?limit=1&cursor=', 400],
    ['/v1/events?limit=1&cursor=', 400],
  ])('%s leads nowhere', async (path, status) => {
    const list = JSON.parse((await send(asking(path.replace('&cursor=', '')), OWN[0] ?? '')).text);
    const cursor = path.endsWith('cursor=') ? list.next_cursor : '';
    expect(cursor).toEqual(expect.any(String));
    const answer = await send(asking(path + cursor), FOREIGN[0] ?? '');
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(own.bookings);
  });

  test('a reference that acme has is free for others', async () => {
    const answer = await send(
      asking('/v1/bookings', trip({ reference: CANARY })),
      FOREIGN[0] ?? '',
    );
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.text).id).not.toBe(own.bookings);
  });
});

describe.each(locked)('%s, at last', (_name, one) => {
  const who = one.needs === 'operator' ? ['an operator of zenith', ...OWN.slice(1)] : OWN;
  // A token is good once: the second one is told that there is none.
  test.each(one.path === CONFIRM ? who.slice(0, 1) : who)('is let in for %s', async (identity) => {
    const { status } = await send(one, identity, idIn(one));
    expect([401, 403, 404]).not.toContain(status);
    expect(status).toBeLessThan(500);
    if (one.method !== 'POST') expect(status).toBe(200);
  });
});
