import { pollUntil } from '../../src/local/poll-until.process.js';
import { Visitor } from '../support/customer.js';
import type { House } from '../support/house.js';
import type { Deed, Scenario } from './scenario.js';
import { TemporalOperator } from './temporal-operator.js';

/**
 * Books one trip, brings it to its end and answers its id. Only one plays at a time in a house,
 * because its faults strike whoever comes first.
 * @throws when it does not end as it should.
 */
export async function playScenario(house: House, scenario: Scenario): Promise<string> {
  const visitor = new Visitor(house);
  await house.sandbox.clearFaults();
  for (const fault of scenario.faults ?? []) await house.sandbox.fault(fault);
  const { deadlineMs, wishes } = scenario;
  if (deadlineMs !== undefined) await hasten(house, deadlineMs);
  const { id } = await visitor.book(wishes);
  if (deadlineMs !== undefined) await house.db.query('drop function hasten() cascade');
  for (const deed of scenario.deeds ?? []) await deed(house, id);
  const isEnded = async () => (await visitor.run(id)).state === scenario.ends;
  if (await pollUntil(isEnded, LIMIT)) return id;
  throw new Error(`${id} is not ${scenario.ends}: ${JSON.stringify(await visitor.run(id))}`);
}

const LIMIT = { limitMs: 60_000 };

/** Gives a run an earlier deadline than its saga has, before anybody has read it. */
async function hasten(house: House, ms: number): Promise<void> {
  await house.db.query(
    `create function hasten() returns trigger language plpgsql as $$
     begin
       new.deadline_at := now() + interval '${ms} milliseconds';
       return new;
     end $$`,
  );
  await house.db.query(
    `create trigger hasten before insert on runs for each row execute function hasten()`,
  );
}

/** Cancels once all of these have been asked for; it must be accepted. */
export function cancelAt(...steps: readonly string[]): Deed {
  return async (house, id) => {
    await asked(house, id, steps);
    await cancel(house, id, 202);
  };
}

/** Cancels once this has been asked for; it must be refused. */
export function refusedCancelAt(step: string): Deed {
  return async (house, id) => {
    await asked(house, id, [step]);
    await cancel(house, id, 409);
  };
}

/** Waits for a case and decides it, with the hotel's own record as the value if it happened. */
export function decide(
  verdict: 'happened' | 'did-not-happen' | 'undone-by-hand' | 'left-as-is',
  more: { readonly with?: object; readonly cancelFirst?: boolean } = {},
): Deed {
  return async (house, id) => {
    const visitor = new Visitor(house);
    if (!(await pollUntil(async () => (await visitor.openCases(id))[0], LIMIT))) {
      throw new Error(`${id} has no open case`);
    }
    if (more.cancelFirst) await cancel(house, id, 202);
    const [room] = await house.sandbox.effects(`${id}:hotel`);
    const value = verdict === 'happened' ? { value: { id: room?.id } } : {};
    const said = { verdict, ...value, ...more.with };
    // A case changes while the run does: what was decided is then looked at again.
    const isDecided = async () => {
      const [open] = await visitor.openCases(id);
      return open !== undefined && (await visitor.decide(open, said)).status === 200;
    };
    if (await pollUntil(isDecided, LIMIT)) return;
    throw new Error(`${verdict} was not taken: ${JSON.stringify(await visitor.run(id))}`);
  };
}

/** Says "now" once this waits for its next try. */
export function retryNowAt(step: string): Deed {
  return async (house, id) => {
    const visitor = new Visitor(house);
    const isWaiting = async () =>
      (await visitor.read(id)).steps.some(
        ({ name, state }) => name === step && state === 'waiting',
      );
    if (!(await pollUntil(isWaiting, LIMIT))) throw new Error(`${step} of ${id} does not wait`);
    await act(visitor, id, 'retry-now');
  };
}

/** Abandons it once it lies on the desk. */
export const abandonUnknown: Deed = async (house, id) => {
  const visitor = new Visitor(house);
  if (!(await pollUntil(async () => (await visitor.openCases(id))[0], LIMIT))) {
    throw new Error(`${id} has no open case`);
  }
  await act(visitor, id, 'abandon');
};

/** Resets its execution to the first workflow task once this has been asked for. */
export function resetAt(step: string): Deed {
  return async (house, id) => {
    await asked(house, id, [step]);
    const operator = new TemporalOperator(house);
    const execution = await operator.execution(id);
    if (execution === null) throw new Error(`Temporal has no execution of ${id}`);
    const events = await operator.events(id);
    const first = events.find(({ kind }) => kind === 'WorkflowTaskCompleted');
    await operator.reset(id, execution.runId, first?.id ?? 0, 'all');
  };
}

async function act(visitor: Visitor, id: string, action: string): Promise<void> {
  const wish = { action, reason: 'the provider was called' };
  const reply = await visitor.post(`/v1/runs/${id}/actions`, wish, undefined, 'operator');
  if (reply.status !== 200) throw new Error(`${action} of ${id}: ${JSON.stringify(reply.body)}`);
}

async function asked(house: House, id: string, steps: readonly string[]): Promise<void> {
  const isAsked = async () => {
    const requests = await Promise.all(
      steps.map((step) => house.sandbox.requests(`${id}:${step}`)),
    );
    return requests.every((seen) => seen.length > 0);
  };
  if (await pollUntil(isAsked, LIMIT)) return;
  throw new Error(`the sandbox has not seen ${steps.join(' and ')} of ${id}`);
}

async function cancel(house: House, id: string, expected: number): Promise<void> {
  const { status, body } = await new Visitor(house).cancel(id);
  if (status !== expected) throw new Error(`cancel of ${id}: ${status} ${JSON.stringify(body)}`);
}
