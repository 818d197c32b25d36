import { resolve } from 'node:path';
import { ApplicationFailure, WorkflowUpdateFailedError } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { Visitor, type Reply } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { startOwnTemporal, type OwnTemporal } from '../support/temporal.js';
import { CONFIRMED, effectsOf } from '../support/trip-effects.js';

// What a person can do about a run beside a verdict, from the API and from Temporal's own pages.

const LIMIT = { limitMs: 60_000 };
/** Far longer than any test waits: whoever goes on before it was told to. */
const LATER = { status: { code: 429, retry_after: 300 } };
const BUNDLE = resolve(import.meta.dirname, '../../dist/workflow-bundle.js');

let temporal: OwnTemporal;
let house: House;
let visitor: Visitor;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  temporal = await startOwnTemporal({ dbFile: true });
  house = await startHouse({ temporalAddress: temporal.address });
  visitor = new Visitor(house);
});
afterAll(async () => {
  await house.close();
  await temporal.stop();
});

interface Action {
  readonly code?: string;
  readonly remains: readonly { step: string; direction: string; what: string }[];
}

const handleOf = (run: string) => house.temporal.client.workflow.getHandle(run);
/**
 * Says "now" to the workflow itself. The record knows of a wait before the execution does, so a
 * refusal that nothing waits is asked again.
 */
const sayNow = (run: string) =>
  pollUntil(
    () =>
      handleOf(run)
        .executeUpdate<{ last_seq: number }, []>('retry-now')
        .catch((error: unknown) => {
          if (isNothingToRetry(error)) return undefined;
          throw error;
        }),
    LIMIT,
  );
const isNothingToRetry = (error: unknown) =>
  error instanceof WorkflowUpdateFailedError &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === 'nothing-to-retry';
const act = (run: string, action: string): Promise<Reply<Action>> =>
  visitor.post(`/v1/runs/${run}/actions`, { action, reason: 'test' }, undefined, 'operator');

/** A trip whose flight is to be tried again in five minutes. */
async function waiting(): Promise<string> {
  await house.sandbox.fault({ provider: 'flights', operation: 'hold', times: 1, do: LATER });
  const { id } = await visitor.book();
  // What is done beside it is over, so that nothing but the seat is still to come.
  const steps = async () =>
    (await visitor.read(id)).steps.slice(1, 3).map(({ name, state }) => `${name} ${state}`);
  await expect.poll(steps, { timeout: 20_000 }).toEqual(['flight waiting', 'hotel done']);
  return id;
}

async function goesOnAtOnce(run: string): Promise<void> {
  await visitor.until(run, ['confirmed']);
  await expect.poll(() => effectsOf(house.sandbox, run), { timeout: 20_000 }).toEqual(CONFIRMED);
  expect(await house.sandbox.requests(`${run}:flight`)).toHaveLength(2);
}

async function closedInTemporal(run: string): Promise<unknown> {
  await expect
    .poll(async () => (await handleOf(run).describe()).status.name, { timeout: 60_000 })
    .toBe('COMPLETED');
  return handleOf(run).result();
}

describe('a run that waits long before its next attempt', () => {
  test('goes on at once when an operator says so', async () => {
    const run = await waiting();
    expect((await act(run, 'retry-now')).status).toBe(200);
    await goesOnAtOnce(run);
  });

  test('goes on at once when somebody says so to its workflow, and that replays', async () => {
    const run = await waiting();
    expect((await sayNow(run))?.last_seq).toBeGreaterThan(0);
    await goesOnAtOnce(run);
    expect(await visitor.run(run)).toMatchObject({
      interventions: [{ action: 'retry-now', who: 'temporal' }],
    });
    await closedInTemporal(run);
    const histories = [{ workflowId: run, history: await handleOf(run).fetchHistory() }];
    const replayed = Worker.runReplayHistories({ workflowBundle: { codePath: BUNDLE } }, histories);
    for await (const { error } of replayed) expect(error).toBeUndefined();
  });

  test('hears "now" from both sides at once, and the flight is asked for once more', async () => {
    const run = await waiting();
    const both = [act(run, 'retry-now'), handleOf(run).executeUpdate('retry-now')];
    const told = await Promise.allSettled(both);
    expect(told.some(({ status }) => status === 'fulfilled')).toBe(true);
    await goesOnAtOnce(run);
  });
});

test('"now" to a workflow that waits for a person is refused, and says why', async () => {
  const { id } = await visitor.book({ hotel: 'H-204-LOST' });
  await visitor.until(id, ['in_review']);
  const failure = await handleOf(id)
    .executeUpdate('retry-now')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WorkflowUpdateFailedError);
  expect(failure).toMatchObject({ cause: { type: 'nothing-to-retry' } });
  expect((await act(id, 'retry-now')).body.code).toBe('nothing-to-retry');
});

test('an abandoned run is over everywhere, and what it lists is what the providers have', async () => {
  const { id } = await visitor.book({ hotel: 'H-204-LOST' });
  await visitor.until(id, ['in_review']);
  const { body } = await act(id, 'abandon');
  expect(body.remains).toEqual([
    { step: 'charge', direction: 'undo', what: 'not-undone' },
    { step: 'flight', direction: 'undo', what: 'not-undone' },
    { step: 'hotel', direction: 'do', what: 'unknown' },
  ]);
  expect(await visitor.read(id)).toMatchObject({ status: 'closed' });
  expect(await closedInTemporal(id)).toEqual({ outcome: 'closed_by_hand' });
  expect(await effectsOf(house.sandbox, id)).toEqual(CONFIRMED.slice(0, 3));
  expect(await visitor.openCases(id)).toEqual([]);
});

test('a run is abandoned once no call of it can be sent any more, and not before', async () => {
  await house.sandbox.fault({ provider: 'hotels', operation: 'reserve', times: 1, do: 'hang' });
  const { id } = await visitor.book();
  const isSent = async () => (await house.sandbox.requests(`${id}:hotel`)).length > 0;
  expect(await pollUntil(isSent, LIMIT)).toBe(true);
  const replies: Reply<Action>[] = [];
  const isDone = async () => {
    replies.push(await act(id, 'abandon'));
    return replies.at(-1)?.status === 200;
  };
  expect(await pollUntil(isDone, LIMIT)).toBe(true);
  expect(replies[0]?.body.code).toBe('call-in-progress');
  expect(replies.at(-1)?.body.remains).toContainEqual({
    ...{ step: 'hotel', direction: 'do', what: 'unknown' },
  });
  expect(await closedInTemporal(id)).toEqual({ outcome: 'closed_by_hand' });
  expect(await house.sandbox.requests(`${id}:charge:undo`)).toEqual([]);
});

test('what is abandoned while Temporal is down is done, and Temporal hears of it later', async () => {
  const run = await waiting();
  await temporal.kill9();
  expect((await act(run, 'abandon')).status).toBe(200);
  expect(await visitor.read(run)).toMatchObject({ status: 'closed' });
  await temporal.start();
  expect(await closedInTemporal(run)).toEqual({ outcome: 'closed_by_hand' });
  expect(await effectsOf(house.sandbox, run)).toEqual(['charge charge', 'hotel reserve']);
});
