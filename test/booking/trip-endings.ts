import { pollUntil } from '../../src/local/poll-until.process.js';
import type { Visitor } from '../support/customer.js';
import type { FaultWish, TestSandbox } from '../support/sandbox.js';

/** What brings a trip to an ending: a visitor, and the script of the sandbox. */
export interface Stage {
  readonly visitor: Visitor;
  readonly sandbox: TestSandbox;
}

/** Books one trip, brings it to its end and answers its id. Only one plays at a time. */
type Play = (stage: Stage) => Promise<string>;

const LOST_ROOM: FaultWish = { provider: 'hotels', operation: 'reserve', do: 'effect_then_reset' };
const SLOW_ROOM: FaultWish = {
  provider: 'hotels',
  operation: 'reserve',
  do: { delay: { ms: 1_000 } },
};
const LOST_CHARGE: FaultWish = {
  provider: 'payments',
  operation: 'charge',
  do: 'effect_then_reset',
};
/** Far longer than anybody waits here. */
const SEAT_LATER: FaultWish = {
  provider: 'flights',
  operation: 'hold',
  do: { status: { code: 429, retry_after: 300 } },
};

/** Every way in which a trip can end, one of each: what the stored histories are of. */
export const TRIP_ENDINGS: Readonly<Record<string, Play>> = {
  completed: async ({ visitor }) => {
    const { id } = await visitor.book();
    return ended(visitor, id, 'completed');
  },
  'completed-after-a-lost-charge': async ({ visitor, sandbox }) => {
    await sandbox.fault(LOST_CHARGE);
    const { id } = await visitor.book();
    return ended(visitor, id, 'completed');
  },
  'undone-by-a-sold-out-hotel': async ({ visitor }) => {
    const { id } = await visitor.book({ hotel: 'H-204-SOLDOUT' });
    return ended(visitor, id, 'undone');
  },
  'undone-by-a-declined-card': async ({ visitor }) => {
    const { id } = await visitor.book({ source: 'tok_declined' });
    return ended(visitor, id, 'undone');
  },
  'cancelled-while-a-hotel-is-booked': async ({ visitor, sandbox }) => {
    await sandbox.fault(SLOW_ROOM);
    const { id } = await visitor.book();
    await arrived(sandbox, `${id}:hotel`);
    await cancel(visitor, id);
    return ended(visitor, id, 'cancelled');
  },
  'cancelled-while-a-hotel-is-unknown': async (stage) => {
    const id = await bookLost(stage);
    await cancel(stage.visitor, id);
    await decide(stage.visitor, id, { verdict: 'undone-by-hand' });
    return ended(stage.visitor, id, 'cancelled');
  },
  'verdict-happened': async (stage) => {
    const id = await bookLost(stage);
    const [room] = await stage.sandbox.effects(`${id}:hotel`);
    await decide(stage.visitor, id, { verdict: 'happened', value: { id: room?.id } });
    return ended(stage.visitor, id, 'completed');
  },
  'verdict-did-not-happen': async (stage) => {
    const id = await bookLost(stage);
    await decide(stage.visitor, id, { verdict: 'did-not-happen' });
    return ended(stage.visitor, id, 'completed');
  },
  'verdict-undone-by-hand': async (stage) => {
    const id = await bookLost(stage);
    await decide(stage.visitor, id, { verdict: 'undone-by-hand' });
    return ended(stage.visitor, id, 'undone');
  },
  'verdict-left-as-is': async (stage) => {
    const id = await bookLost(stage);
    const amount = { amount: 9_000, currency: 'INR' };
    await decide(stage.visitor, id, { verdict: 'left-as-is', amount });
    return ended(stage.visitor, id, 'closed_by_hand');
  },
  'completed-after-retry-now': async ({ visitor, sandbox }) => {
    await sandbox.fault(SEAT_LATER);
    const { id } = await visitor.book();
    await waitsFor(visitor, id, 'flight');
    await act(visitor, id, 'retry-now');
    return ended(visitor, id, 'completed');
  },
  'abandoned-while-a-hotel-is-unknown': async (stage) => {
    const id = await bookLost(stage);
    await act(stage.visitor, id, 'abandon');
    return ended(stage.visitor, id, 'closed_by_hand');
  },
};

const LIMIT = { limitMs: 60_000 };

async function ended(visitor: Visitor, id: string, as: string): Promise<string> {
  const isEnded = async () => (await visitor.run(id)).state === as;
  if (await pollUntil(isEnded, LIMIT)) return id;
  throw new Error(`${id} did not end as ${as}: ${JSON.stringify(await visitor.run(id))}`);
}

async function arrived(sandbox: TestSandbox, reference: string): Promise<void> {
  const isThere = async () => (await sandbox.requests(reference)).length > 0;
  if (await pollUntil(isThere, LIMIT)) return;
  throw new Error(`the sandbox has not seen ${reference}`);
}

async function cancel(visitor: Visitor, id: string): Promise<void> {
  const { status, body } = await visitor.cancel(id);
  if (status !== 202) throw new Error(`cancel of ${id}: ${status} ${JSON.stringify(body)}`);
}

async function waitsFor(visitor: Visitor, id: string, step: string): Promise<void> {
  const isWaiting = async () =>
    (await visitor.read(id)).steps.some(({ name, state }) => name === step && state === 'waiting');
  if (await pollUntil(isWaiting, LIMIT)) return;
  throw new Error(`${step} of ${id} does not wait: ${JSON.stringify(await visitor.run(id))}`);
}

async function act(visitor: Visitor, id: string, action: string): Promise<void> {
  const wish = { action, reason: 'the provider was called' };
  const reply = await visitor.post(`/v1/runs/${id}/actions`, wish, undefined, 'operator');
  if (reply.status !== 200) throw new Error(`${action} of ${id}: ${JSON.stringify(reply.body)}`);
}

/** A trip whose hotel took effect once and did not say so: it lies on the desk. */
async function bookLost({ visitor, sandbox }: Stage): Promise<string> {
  await sandbox.fault(LOST_ROOM);
  const { id } = await visitor.book();
  await visitor.until(id, ['in_review']);
  return id;
}

async function decide(
  visitor: Visitor,
  id: string,
  verdict: Readonly<Record<string, unknown>>,
): Promise<void> {
  const open = await pollUntil(async () => (await visitor.openCases(id))[0], LIMIT);
  if (open === undefined) throw new Error(`${id} has no open case`);
  const { status, body } = await visitor.decide(open, verdict);
  if (status !== 200) throw new Error(`verdict on ${id}: ${status} ${JSON.stringify(body)}`);
}
