import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRIVER } from '../../src/engine/runs/temporal-runs.js';
import { Visitor, type TripWishes } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { BOOKED, CONFIRMED, effectsOf, REFUNDED, UNDONE } from '../support/trip-effects.js';

// Operators can do things to an execution that its workflow never hears of. The record and the
// sweep make up for it: no free ticket, no second charge, no run forgotten. Whatever can be done at
// every point of a trip is in ended-from-outside.e2e.test.ts and resets.e2e.test.ts.

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse({ env: { RECOURSE_CALL_TIMEOUT_MS: '6000' } });
  visitor = new Visitor(house);
});
afterAll(() => house.close());

const HELD = { timeout: 60_000, interval: 50 };
/** Long enough to act from outside meanwhile, and well within the time a call has. */
const SLOW = { delay: { ms: 2_500 } };
/** Longer than the sweep needs to notice, and still within that time. */
const SLOWER = { delay: { ms: 4_500 } };
/** Neither seat nor room: what is left to undo is the charge. */
const SOLD_OUT: TripWishes = { flight: 'BLR-LHR-0417-SOLDOUT', hotel: 'H-204-SOLDOUT' };
/** Signals, updates, Nexus events and cancel requests: `--reapply-exclude All`. */
const ALL_EVENTS = [1, 2, 3, 4];

const handle = (id: string) => house.temporal.client.workflow.getHandle(id);

const effects = (id: string) => effectsOf(house.sandbox, id);

async function execution(id: string): Promise<{ runId: string; status: string } | null> {
  const found = await handle(id)
    .describe()
    .catch(() => null);
  return found && { runId: found.runId, status: found.status.name };
}

interface Held {
  readonly at: 'charge' | 'hotel' | 'ticket' | 'receipt' | 'charge:undo';
  readonly wishes?: TripWishes;
}

const OPERATIONS = {
  charge: { provider: 'payments', operation: 'charge' },
  hotel: { provider: 'hotels', operation: 'reserve' },
  ticket: { provider: 'flights', operation: 'ticket' },
  receipt: { provider: 'messages', operation: 'send' },
  'charge:undo': { provider: 'payments', operation: 'refund' },
} as const;

/** Books trips that nobody works on until each has its trouble. */
async function bookHeld(trips: readonly Held[]): Promise<readonly string[]> {
  await house.part('worker').stop();
  const ids = await Promise.all(
    trips.map(async ({ at, wishes }) => {
      const { id } = await visitor.book(wishes);
      const match = { reference: `${id}:${at}` };
      await house.sandbox.fault({ ...OPERATIONS[at], match, do: SLOWER });
      return id;
    }),
  );
  await house.start('worker');
  return ids;
}

/** Books the only trip there is, which will be slow at these places, and waits for the first. */
async function bookSlow(first: Held['at'], ...later: Held['at'][]): Promise<string> {
  for (const at of [first, ...later]) await house.sandbox.fault({ ...OPERATIONS[at], do: SLOW });
  const { id } = await visitor.book();
  await onItsWay(id, first);
  return id;
}

/** Waits until the call is on its way: the sandbox has the request and has not answered it. */
async function onItsWay(id: string, at: Held['at']): Promise<void> {
  const reference = `${id}:${at}`;
  const isThere = async () =>
    (await house.sandbox.requests(reference)).some((one) => one.reference === reference);
  await expect.poll(isThere, HELD).toBe(true);
}

type EventTest = (kind: string) => boolean;
const isCancelRequest: EventTest = (kind) => kind === 'WorkflowExecutionCancelRequested';

/** Every event of the history by its number, as the kind of its attributes. */
async function events(id: string) {
  const history = await handle(id).fetchHistory();
  return (history.events ?? []).map((event) => {
    const name = Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? '';
    const kind = name.charAt(0).toUpperCase() + name.slice(1, -'EventAttributes'.length);
    return { id: event.eventId, kind };
  });
}

/** Resets to the first workflow task, or to the last one before an event of a kind. */
async function reset(id: string, before?: EventTest): Promise<void> {
  const all = await events(id);
  const upTo =
    before === undefined
      ? all
      : all.slice(
          0,
          all.findIndex(({ kind }) => before(kind)),
        );
  const tasks = upTo.filter(({ kind }) => kind === 'WorkflowTaskCompleted');
  const target = before === undefined ? tasks.at(0) : tasks.at(-1);
  await house.temporal.client.workflowService.resetWorkflowExecution({
    namespace: house.temporal.namespace,
    workflowExecution: { workflowId: id },
    reason: 'from outside',
    requestId: randomUUID(),
    workflowTaskFinishEventId: target?.id ?? null,
    resetReapplyExcludeTypes: ALL_EVENTS,
  });
}

test.each([
  ['its first workflow task', undefined],
  ['the workflow task before the cancel', isCancelRequest],
])(
  'a cancelled trip reset to %s is still cancelled, because the record has the cancel',
  async (_to, before) => {
    const id = await bookSlow('hotel', 'charge:undo');
    await expect.poll(() => effects(id), HELD).toContain('flight hold');
    expect((await visitor.cancel(id)).status).toBe(202);
    await expect
      .poll(async () => (await events(id)).some(({ kind }) => isCancelRequest(kind)), HELD)
      .toBe(true);
    await reset(id, before);
    // The history knows nothing of the cancel any more.
    expect((await events(id)).some(({ kind }) => isCancelRequest(kind))).toBe(false);

    await visitor.until(id, ['cancelled']);
    expect(await effects(id)).toEqual(UNDONE);
    // Nobody asked this execution to cancel: it has done what it had to, and says so.
    await expect.poll(async () => (await execution(id))?.status, HELD).toBe('COMPLETED');
    expect(await handle(id).result()).toEqual({ outcome: 'cancelled' });
  },
);

test('terminated in its last call: the answer is written, and ends the run without an execution', async () => {
  await house.part('relay').stop();
  const [id = ''] = await bookHeld([{ at: 'charge:undo', wishes: SOLD_OUT }]);
  await onItsWay(id, 'charge:undo');
  await handle(id).terminate('from outside');
  await visitor.until(id, ['failed']);
  await expect.poll(async () => (await visitor.run(id)).state, HELD).toBe('undone');
  await house.start('relay');
  expect(await effects(id)).toEqual(REFUNDED);
  expect(await execution(id)).toMatchObject({ status: 'TERMINATED' });
  expect((await visitor.run(id))['interventions']).toEqual([]);
});

describe('an execution that cannot go on is replaced, and the trip goes on from its journal', () => {
  test.each([
    ['because an older driver began it: it has no number', 'older-driver', 2, {}, '1 s'],
    // As one that another driver began than its number says: its workflow task can never be done.
    ['because its workflow task fails again and again', 'stalled', 99, { driver: DRIVER }, '25 s'],
  ])('%s', async (_why, reason, version, memo, after) => {
    const { id } = await visitor.book({ hotel: 'H-204-LOST' });
    await visitor.until(id, ['in_review']);
    await house.part('relay').stop();
    await handle(id).terminate();
    await house.temporal.client.workflow.start('book-trip', {
      ...{ workflowId: id, taskQueue: 'recourse', memo },
      args: [{ run: id, saga: 'book-trip', version }],
    });
    const older = await execution(id);
    // Each look tells it to look, and begins its task anew: so the next one comes a while later.
    await house.db.query(`update runs set look_at = now() + $2::interval where id = $1::text`, [
      id,
      after,
    ]);
    await house.start('relay');
    await expect.poll(async () => (await execution(id))?.runId, HELD).not.toBe(older?.runId);
    expect(await execution(id)).toMatchObject({ status: 'RUNNING' });
    expect((await visitor.run(id))['interventions']).toMatchObject([
      { who: 'sweep', action: 'started-again', reason },
    ]);
    const [open] = await visitor.openCases(id);
    if (open === undefined) throw new Error('its case is not open any more');
    await visitor.decide(open, { verdict: 'undone-by-hand' });
    await visitor.until(id, ['failed']);
    expect(await effects(id)).toEqual([...BOOKED, 'flight:undo release', 'charge:undo refund']);
  });
});

describe("a cancel from Temporal's own page", () => {
  async function cancelAt(at: Held['at']): Promise<string> {
    const id = await bookSlow(at);
    await handle(id).cancel();
    return id;
  }

  const refusals = async (id: string) => {
    const { rows } = await house.db.query(
      `select line ->> 'why' as why from journal
       where run = $1 and line ->> 'kind' = 'cancel-refused'`,
      [id],
    );
    return rows.map(({ why }) => String(why));
  };

  test('is kept before the pivot, and closes the execution as cancelled', async () => {
    const id = await cancelAt('hotel');
    await visitor.until(id, ['cancelled']);
    expect(await effects(id)).toEqual(UNDONE);
    await expect.poll(async () => (await execution(id))?.status, HELD).toBe('CANCELLED');
  });

  test.each([
    ['ticket', 'pivot-in-progress'],
    ['receipt', 'past-pivot'],
  ] as const)(
    'comes too late at the %s: the refusal is on record, and the trip completes',
    async (at, why) => {
      const id = await cancelAt(at);
      await visitor.until(id, ['confirmed']);
      await expect.poll(() => effects(id), HELD).toEqual(CONFIRMED);
      await expect.poll(async () => (await execution(id))?.status, HELD).toBe('COMPLETED');
      expect(await refusals(id)).toEqual([why]);
      expect(JSON.stringify(await visitor.run(id))).toContain(why);
    },
  );
});
