import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  canary,
  columnsWithCanaries,
  canariesIn,
  temporalTextOf,
  textOf,
} from '../support/canary.js';
import { Visitor, type BookingSeen } from '../support/customer.js';
import { lockRun, unlock } from '../support/held-rows.js';
import { startHouse, type House } from '../support/house.js';

const LIMIT = { timeout: 60_000, interval: 50 };

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse({
    env: { LOG_LEVEL: 'debug', RECOURSE_CALL_TIMEOUT_MS: '9000' },
  });
  visitor = new Visitor(house);
});
afterAll(() => house.close());

/** A booking with a canary in every field that takes words. */
function orderOf(name: string, hotel = ''): Record<string, unknown> {
  return {
    reference: canary(`Reference${name}`),
    traveller: { name: canary('Name'), email: `${canary('Email')}@example.com` },
    flight: { offer: canary('Flight') },
    hotel: { offer: `${canary('Hotel')}${hotel}`, nights: 2 },
    payment: { amount: 240_000, currency: 'INR', source: canary('Source') },
    metadata: { [canary('MetadataName')]: canary('MetadataValue') },
  };
}

async function book(name: string, hotel?: string): Promise<string> {
  const key = canary(`Key${name}`);
  const reply = await visitor.post<BookingSeen>('/v1/bookings', orderOf(name, hotel), key);
  expect(reply.status, JSON.stringify(reply.body)).toBe(202);
  return reply.body.id;
}

async function confirmed(): Promise<string> {
  const id = await book('Confirmed');
  await visitor.until(id, ['confirmed']);
  return id;
}

async function undone(): Promise<string> {
  const id = await book('Undone', '-SOLDOUT');
  await visitor.until(id, ['failed']);
  return id;
}

/** Its hotel's answer is lost, and a person says in many words what became of it. */
async function decided(): Promise<string> {
  const id = await book('Decided', '-LOST');
  await visitor.until(id, ['in_review']);
  const [open] = await visitor.openCases(id);
  if (open === undefined) throw new Error(`${id} has no open case`);
  const words = { evidence: canary('Evidence'), reason: canary('Reason') };
  const wrong = { verdict: 'happened', value: canary('Value'), ...words };
  expect((await visitor.decide(open, wrong)).status).toBe(400);
  const verdict = { verdict: 'happened', value: { id: 'rs_1', note: canary('Note') }, ...words };
  expect((await visitor.decide(open, verdict)).status).toBe(200);
  await visitor.until(id, ['confirmed']);
  return id;
}

/** Its room cannot be put on record for a while: Temporal carries the outcome, sealed. */
async function carried(): Promise<string> {
  const id = await book('Carried', '-SLOW');
  const asked = async () => (await house.sandbox.requests(`${id}:hotel`)).length;
  await expect.poll(asked, LIMIT).toBe(1);
  const lock = await lockRun(house.db, id);
  try {
    await expect.poll(() => activitiesOf(id), LIMIT).toContain('record');
  } finally {
    await unlock(lock);
  }
  await visitor.until(id, ['confirmed']);
  return id;
}

/** Postgres ends all sessions of ours while its room is being reserved. */
async function interrupted(): Promise<string> {
  const id = await book('Interrupted', '-SLOW');
  const asked = async () => (await house.sandbox.requests(`${id}:hotel`)).length;
  await expect.poll(asked, LIMIT).toBe(1);
  await house.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'recourse-%'`,
  );
  await visitor.until(id, ['confirmed']);
  return id;
}

async function activitiesOf(id: string): Promise<readonly string[]> {
  const { raw } = await house.temporal.client.workflow.getHandle(id).describe();
  return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name ?? '');
}

interface Bad {
  readonly what: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

const BAD: readonly Bad[] = [
  { what: 'no JSON', body: `{"traveller": "${canary('Torn')}`, status: 400 },
  { what: 'a member too many', body: { ...orderOf('A'), [canary('Member')]: 1 }, status: 400 },
  { what: 'wrong members', body: { ...orderOf('B'), payment: canary('Payment') }, status: 400 },
  { what: 'a key twice', body: orderOf('C'), headers: keyed('KeyConfirmed'), status: 422 },
  { what: 'a reference twice', body: orderOf('Confirmed'), status: 409 },
  { what: 'a key that is none', body: orderOf('D'), headers: keyed('ü'), status: 400 },
  { what: 'a strange caller', headers: bearing('Secret'), status: 401 },
  { what: 'a search', path: `?reference=${canary('Sought')}`, status: 200 },
  {
    what: 'a search that Postgres cannot read',
    path: `?reference=%00${canary('Nul')}`,
    status: 400,
  },
  { what: 'a wrong search', path: `?${canary('Query')}=1`, status: 400 },
  { what: 'a wrong address', path: `/${canary('Path')}`, status: 404 },
  { what: 'no address', path: `/${canary('Path')}/${canary('Path')}`, status: 404 },
];

function keyed(name: string): Readonly<Record<string, string>> {
  return { 'Idempotency-Key': canary(name) };
}

function bearing(name: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${canary(name)}` };
}

async function ask({ path = '', body, headers }: Bad, index: number): Promise<number> {
  const response = await fetch(`${house.url}/v1/bookings${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${house.keys.customer}`,
      'Content-Type': 'application/json',
      ...keyed(`KeyBad${index}`),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** A summary of an activity, the step table of the details, a search attribute, a payload. */
const HELD_OPEN = ['step 1 of 5: charge', '| step | state | undo |', 'SagaState', '"provider_id":'];

test.each([0, 1, 2])('a canary is found in Base64 that begins %s bytes before it', (before) => {
  const text = Buffer.from(`${' '.repeat(before)}${canary('Name')} etc.`).toString('base64');
  expect(canariesIn(text)).toHaveLength(1);
});

test('what a customer says is read in no history, no log line and no column but its own', async () => {
  const ids = await Promise.all([confirmed(), undone(), decided(), carried()]);
  ids.unshift(await interrupted());
  const statuses = await Promise.all(BAD.map(ask));
  expect(statuses).toEqual(BAD.map(({ status }) => status));

  const texts = await Promise.all(ids.map((id) => temporalTextOf(house.temporal.client, id)));
  for (const text of texts) {
    // What was looked through holds names of ours wherever it could hold other words.
    for (const ours of HELD_OPEN) expect(text).toContain(ours);
    expect(canariesIn(text)).toEqual([]);
  }
  expect(texts.at(-1)).toContain('"sealed":');
  // The providers were told, and whoever looks there finds it.
  expect(canariesIn(textOf(await house.sandbox.requests()))).not.toEqual([]);
  for (const part of ['api', 'worker', 'relay'] as const) {
    const printed = house.part(part).output();
    expect(printed).toContain('"ready":true');
    expect(canariesIn(printed), part).toEqual([]);
  }
  // Plain on purpose: the caller's own names for things, and what persons wrote at the desk.
  expect(await columnsWithCanaries(house.db)).toEqual([
    'cases.evidence',
    'cases.reason',
    'interventions.evidence',
    'interventions.reason',
    'runs.reference',
  ]);
}, 180_000);
