import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Visitor, type TripWishes } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import type { FaultWish } from '../support/sandbox.js';
import { brokenPromises, journalOf, type TripPromises } from './kept-promises.js';
import { TemporalOperator } from './temporal-operator.js';

// What an operator can do to an execution, at every point of a trip: while each of its calls is on
// its way, right after each of them, and while it waits. No run is forgotten, no effect is doubled.

let house: House;
let visitor: Visitor;
let operator: TemporalOperator;

beforeAll(async () => {
  house = await startHouse({ env: { RECOURSE_CALL_TIMEOUT_MS: '9500' } });
  visitor = new Visitor(house);
  operator = new TemporalOperator(house);
});
afterAll(() => house.close());

const LIMIT = { timeout: 90_000, interval: 100 };
/** Longer than the sweep needs to notice, and well within the time a call has. */
const SLOW = { delay: { ms: 5_500 } };

interface Action {
  act(id: string): Promise<void>;
  /** What the sweep finds in the place of the execution; none: a new one stands there already. */
  readonly leaves: readonly (string | null)[];
}

const ACTIONS: Readonly<Record<string, Action>> = {
  terminated: { act: (id) => operator.terminate(id), leaves: ['TERMINATED'] },
  // It is terminated first, and gone a moment later.
  deleted: { act: (id) => operator.delete(id), leaves: ['TERMINATED', null] },
  'timed out': { act: (id) => operator.startWithTimeout(id), leaves: ['TIMED_OUT'] },
  'reset to its first task': { act: (id) => operator.resetTo('first', id, 'none'), leaves: [] },
  'reset to its last task': { act: (id) => operator.resetTo('last', id, 'all'), leaves: [] },
};

interface Place extends Omit<FaultWish, 'do' | 'match'> {
  readonly at: string;
  readonly end: TripPromises['end'];
  /** The run ends with the outcome of this call. */
  readonly isLast?: boolean;
}

const PLACES: readonly Place[] = [
  { at: 'charge', provider: 'payments', operation: 'charge', end: 'completed' },
  { at: 'flight', provider: 'flights', operation: 'hold', end: 'completed' },
  { at: 'hotel', provider: 'hotels', operation: 'reserve', end: 'completed' },
  { at: 'ticket', provider: 'flights', operation: 'ticket', end: 'completed' },
  { at: 'receipt', provider: 'messages', operation: 'send', end: 'completed', isLast: true },
  { at: 'hotel:undo', provider: 'hotels', operation: 'cancel', end: 'undone' },
  { at: 'flight:undo', provider: 'flights', operation: 'cancel', end: 'undone' },
  { at: 'charge:undo', provider: 'payments', operation: 'refund', end: 'undone', isLast: true },
];

interface Trip {
  readonly id: string;
  readonly name: string;
  readonly action: Action;
  readonly promises: TripPromises;
}

interface Held extends Trip {
  readonly place: Place;
}

/** Books one trip for every action at each place, held there, before anybody works on them. */
async function bookHeld(places: readonly Place[]): Promise<readonly Held[]> {
  await house.part('worker').stop();
  const table = places.flatMap((place) =>
    Object.entries(ACTIONS).map(([name, action]) => ({
      place,
      name: `${name}, ${place.at}`,
      action,
    })),
  );
  const trips = await Promise.all(
    table.map(async ({ place, ...row }) => {
      const { id } = await visitor.book();
      const { at, provider, operation, end } = place;
      await house.sandbox.fault({ provider, operation, match: of(id, at), do: SLOW });
      if (end === 'undone') {
        await house.sandbox.fault({ ...TICKET, match: of(id, 'ticket'), do: 'decline' });
      }
      return { ...row, id, place, promises: { end } };
    }),
  );
  await house.start('worker');
  return trips;
}

const TICKET = { provider: 'flights', operation: 'ticket' } as const;
const of = (id: string, step: string) => ({ reference: `${id}:${step}` });

/** The call is on its way: the sandbox has the request and has not answered it. */
async function onItsWay({ id, place: { at } }: Held): Promise<void> {
  const { reference } = of(id, at);
  const isThere = async () =>
    (await house.sandbox.requests(reference)).some((one) => one.reference === reference);
  await expect.poll(isThere, { ...LIMIT, message: `${at} of ${id}` }).toBe(true);
}

async function allEnded(trips: readonly Trip[]): Promise<void> {
  const alive = async () => {
    const { rows } = await house.db.query<{ id: string; state: string }>(
      `select id, state from runs where id = any($1::text[]) and ended_at is null`,
      [trips.map(({ id }) => id)],
    );
    return rows.map(({ id, state }) => `${trips.find((one) => one.id === id)?.name}: ${state}`);
  };
  await expect.poll(alive, LIMIT).toEqual([]);
  const running = async () => {
    const seen = await Promise.all(trips.map(({ id }) => operator.execution(id)));
    return trips.filter((_one, at) => seen[at]?.status === 'RUNNING').map(({ name }) => name);
  };
  await expect.poll(running, { ...LIMIT, interval: 500 }).toEqual([]);
}

/** What the sweep found in the place of each execution that it started again. */
async function startedAgain(id: string): Promise<readonly (string | null)[]> {
  const { rows } = await house.db.query<{ found: string | null }>(
    `select before ->> 'execution' as found from interventions
     where run = $1::text and who = 'sweep' and action = 'started-again'`,
    [id],
  );
  return rows.map(({ found }) => found);
}

/** How often the sweep has to start a run again that has no execution any more. */
type Again = 'once' | 'once-at-most' | 'never';

/** All that is wrong with the trips, by name. */
async function troubles(
  trips: readonly Trip[],
  mustBeStarted: (id: string) => Again,
): Promise<readonly string[]> {
  const found = trips.map(async ({ id, name, action: { leaves }, promises }) => {
    const broken = await brokenPromises(house, id, promises);
    const again = await startedAgain(id);
    const times = leaves.length === 0 ? 'never' : mustBeStarted(id);
    const most = times === 'never' ? 0 : 1;
    const isOften = times === 'once' ? again.length === 1 : again.length <= most;
    const isOnRecord = isOften && again.every((one) => leaves.includes(one));
    const wrong = isOnRecord ? broken : [...broken, `the sweep found ${JSON.stringify(again)}`];
    return wrong.map((what) => `${name}: ${what}`);
  });
  return (await Promise.all(found)).flat();
}

test('while a call is on its way: each trip ends as it should', async () => {
  const trips = await bookHeld(PLACES);
  await Promise.all(
    trips.map(async (trip) => {
      await onItsWay(trip);
      await trip.action.act(trip.id);
    }),
  );
  await allEnded(trips);
  // The last answer ends its run by itself, if the sweep has not come before it.
  const lasts = new Set(trips.filter(({ place }) => place.isLast).map(({ id }) => id));
  expect(await troubles(trips, (id) => (lasts.has(id) ? 'once-at-most' : 'once'))).toEqual([]);
}, 180_000);

describe('right after a call, before anything else is done: each trip ends as it should', () => {
  // Apart, so that on a machine at rest all of a test's trips are held at once.
  test.each([
    ['on the way there', PLACES.filter(({ end }) => end === 'completed')],
    ['on the way back', PLACES.filter(({ end }) => end === 'undone')],
  ])(
    '%s',
    async (_way, places) => {
      const trips = await bookHeld(places);
      await Promise.all(trips.map(onItsWay));
      // It lets the calls end, writes what they came to, and begins nothing more.
      await house.part('worker').stop();
      const { rows } = await house.db.query(`select * from attempts where state = 'sending'`);
      expect(rows).toEqual([]);
      const ended = new Set(await endedOf(trips));
      const seen = await Promise.all(trips.map(({ id }) => operator.execution(id)));
      // On a machine that is busy with other things some have come to their end meanwhile.
      const alive = trips.filter((_trip, at) => seen[at]?.status === 'RUNNING');
      expect(alive).not.toEqual([]);
      await Promise.all(alive.map(({ action, id }) => action.act(id)));
      await house.start('worker');
      await allEnded(trips);
      expect(await troubles(trips, (id) => (ended.has(id) ? 'never' : 'once'))).toEqual([]);
    },
    180_000,
  );
});

async function endedOf(trips: readonly Trip[]): Promise<readonly string[]> {
  const { rows } = await house.db.query<{ id: string }>(
    `select id from runs where id = any($1::text[]) and ended_at is not null`,
    [trips.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}

interface Quiet {
  readonly wishes: TripWishes;
  readonly faults?: readonly (Omit<FaultWish, 'match'> & { readonly at: string })[];
  /** The last line of its journal while it waits. */
  readonly waits: Readonly<Record<string, unknown>>;
  readonly promises: TripPromises;
}

const QUIET: Readonly<Record<string, Quiet>> = {
  'for a person': {
    wishes: { hotel: 'H-204-LOST' },
    waits: { kind: 'case-opened', step: 'hotel' },
    promises: { end: 'undone', byHand: ['hotel'] },
  },
  'to try again': {
    wishes: {},
    faults: [
      {
        ...{ at: 'charge', provider: 'payments', operation: 'charge' },
        do: { status: { code: 429, retry_after: 6 } },
      },
    ],
    waits: { kind: 'ended', step: 'charge', outcome: 'again' },
    promises: { end: 'completed' },
  },
  'to ask again': {
    wishes: { flight: 'BLR-LHR-0417-LOST' },
    faults: [
      {
        ...{ at: 'flight', provider: 'flights', operation: 'find' },
        do: { status: { code: 429, retry_after: 6 } },
      },
    ],
    waits: { kind: 'asked', step: 'flight', finding: 'cannot-tell' },
    promises: { end: 'completed' },
  },
};

test('while a trip waits: it ends as it should', async () => {
  await house.part('worker').stop();
  const table = Object.entries(QUIET).flatMap(([what, quiet]) =>
    Object.entries(ACTIONS).map(([name, action]) => ({ name: `${name}, ${what}`, action, quiet })),
  );
  const trips = await Promise.all(
    table.map(async ({ quiet, ...row }) => {
      const { id } = await visitor.book(quiet.wishes);
      for (const { at, ...fault } of quiet.faults ?? []) {
        await house.sandbox.fault({ ...fault, match: of(id, at) });
      }
      return { ...row, id, quiet, promises: quiet.promises };
    }),
  );
  await house.start('worker');
  await Promise.all(
    trips.map(async ({ id, action, quiet }) => {
      const last = async () => (await journalOf(house, id)).at(-1);
      await expect.poll(last, LIMIT).toMatchObject(quiet.waits);
      await action.act(id);
    }),
  );
  await decideAll(trips.filter(({ promises }) => promises.byHand !== undefined));
  await allEnded(trips);
  expect(await troubles(trips, () => 'once')).toEqual([]);
}, 180_000);

/** Only when the sweep has seen to it: a verdict is news, and it looks at silent runs. */
async function decideAll(trips: readonly Trip[]): Promise<void> {
  for (const { id, name, action } of trips) {
    const again = async () => (await startedAgain(id)).length;
    const wanted = action.leaves.length > 0 ? 1 : 0;
    await expect.poll(again, { ...LIMIT, message: name }).toBe(wanted);
  }
  for (const { id, name } of trips) {
    const [open] = await visitor.openCases(id);
    if (open === undefined) throw new Error(`${name}: its case is not open any more`);
    expect((await visitor.decide(open, { verdict: 'undone-by-hand' })).status).toBe(200);
  }
}
