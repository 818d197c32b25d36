import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { brokenPromises, journalOf, type TripPromises } from './kept-promises.js';
import {
  resetPoints,
  TemporalOperator,
  type Reapply,
  type SeenEvent,
} from './temporal-operator.js';

// Every event of a run as the point that it is reset to: the new execution finds the record ahead
// of it, catches up, and calls nobody.

let house: House;
let visitor: Visitor;
let operator: TemporalOperator;

beforeAll(async () => {
  house = await startHouse();
  visitor = new Visitor(house);
  operator = new TemporalOperator(house);
});
afterAll(() => house.close());

const LIMIT = { timeout: 30_000, interval: 25 };
const RUNNING = { status: 'RUNNING' };
const [TASK_COMPLETED, SIGNALED] = ['WorkflowTaskCompleted', 'WorkflowExecutionSignaled'];
const SLOW_ROOM = {
  provider: 'hotels',
  operation: 'reserve',
  do: { delay: { ms: 1_000 } },
} as const;

interface Trip {
  readonly id: string;
  /** How its execution closed; null: it waits for a person. */
  readonly closed: string | null;
  /** Brings it to its end, if it has none yet, and answers which. */
  end(): Promise<TripPromises>;
}

type Ended = readonly [status: string, closed: string, end: TripPromises['end']];

async function ended(id: string, [status, closed, end]: Ended): Promise<Trip> {
  await visitor.until(id, [status]);
  await expect.poll(async () => (await operator.execution(id))?.status, LIMIT).toBe(closed);
  return { id, closed, end: async () => ({ end }) };
}

const KINDS: Readonly<Record<string, () => Promise<Trip>>> = {
  completed: async () => {
    const { id } = await visitor.book();
    return ended(id, ['confirmed', 'COMPLETED', 'completed']);
  },
  undone: async () => {
    const { id } = await visitor.book({ hotel: 'H-204-SOLDOUT' });
    return ended(id, ['failed', 'COMPLETED', 'undone']);
  },
  cancelled: async () => {
    await house.sandbox.fault(SLOW_ROOM);
    const { id } = await visitor.book();
    await expect
      .poll(async () => (await house.sandbox.requests(`${id}:hotel`)).length, LIMIT)
      .toBe(1);
    expect((await visitor.cancel(id)).status).toBe(202);
    return ended(id, ['cancelled', 'CANCELLED', 'cancelled']);
  },
  'on the desk': async () => {
    const { id } = await visitor.book({ hotel: 'H-204-LOST' });
    await visitor.until(id, ['in_review']);
    // So that its history has a signal that can be applied once more.
    await operator.handle(id).signal('look');
    const isSignaled = async () =>
      (await operator.events(id)).some(({ kind }) => kind === SIGNALED);
    await expect.poll(isSignaled, LIMIT).toBe(true);
    await isCaughtUp(id);
    return { id, closed: null, end: () => putRightByHand(id) };
  },
};

async function putRightByHand(id: string): Promise<TripPromises> {
  const [open] = await visitor.openCases(id);
  if (open === undefined) throw new Error('its case is not open any more');
  expect((await visitor.decide(open, { verdict: 'undone-by-hand' })).status).toBe(200);
  await visitor.until(id, ['failed']);
  return { end: 'undone', byHand: ['hotel'] };
}

async function isCaughtUp(id: string): Promise<void> {
  const lines = (await journalOf(house, id)).length;
  const known = async (): Promise<unknown> =>
    operator
      .handle(id)
      .query('state')
      .catch(() => null);
  await expect.poll(known, LIMIT).toMatchObject({ last_seq: lines, doing: [] });
}

interface Answered {
  /** The events that the server resets to, though no workflow task was open before them. */
  readonly odd: readonly SeenEvent[];
  /** The kinds of events that the server resets to, and of those that it refuses. */
  readonly taken: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  /** The kinds of events that the new executions began with. */
  readonly reapplied: ReadonlySet<string>;
}

/** Resets to every event in turn, and waits each time until the new execution has caught up. */
async function resetToEveryEvent({ id, closed }: Trip, reapply: Reapply): Promise<Answered> {
  const original = await operator.execution(id);
  if (original === null) throw new Error(`Temporal has no execution of ${id}`);
  const [taken, refused, reapplied] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const history = await operator.events(id, original.runId);
  // What comes after it in one that runs may be a task in hand, and not be in the history at all.
  const last = history.findLastIndex(({ kind }) => kind === TASK_COMPLETED);
  const events = closed === null ? history.slice(0, last + 1) : history;
  const points = resetPoints(history);
  const odd: SeenEvent[] = [];
  for (const { id: event, kind } of events) {
    const next = await operator.reset(id, original.runId, event, reapply);
    (next === null ? refused : taken).add(kind);
    if (next === null) continue;
    if (!points.has(event)) odd.push({ id: event, kind });
    const isNew = (one: SeenEvent) => one.id > event;
    (await operator.events(id, next)).filter(isNew).forEach((one) => reapplied.add(one.kind));
    if (closed === null) await isCaughtUp(id);
    else await expect.poll(() => operator.execution(id), LIMIT).not.toMatchObject(RUNNING);
    expect((await operator.execution(id))?.runId, `reset to event ${event}`).toBe(next);
  }
  return { odd, taken, refused, reapplied };
}

/** All that a reset must leave as it is. */
async function seen(id: string) {
  const { rows } = await house.db.query(`select * from interventions where run = $1::text`, [id]);
  return {
    requests: await house.sandbox.requests(`${id}:`),
    journal: await journalOf(house, id),
    booking: await visitor.read(id),
    interventions: rows,
  };
}

test.each(Object.keys(KINDS))(
  'a trip that is %s calls nobody again, whichever event it is reset to',
  async (kind) => {
    const trip = await KINDS[kind]?.();
    if (trip === undefined) throw new Error(`nothing is known of ${kind}`);
    const { id } = trip;
    const before = await seen(id);
    for (const reapply of ['all', 'none'] as const) {
      const { odd, taken, refused, reapplied } = await resetToEveryEvent(trip, reapply);
      expect(odd).toEqual([]);
      expect(refused).not.toContain(TASK_COMPLETED);
      expect([...taken]).toEqual(expect.arrayContaining(['WorkflowTaskStarted', TASK_COMPLETED]));
      if (trip.closed === null && reapply === 'all') expect(reapplied).toContain(SIGNALED);
    }
    expect(await seen(id)).toEqual(before);
    expect(await brokenPromises(house, id, await trip.end())).toEqual([]);
  },
);
