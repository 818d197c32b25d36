import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { again, done, refused } from '../../src/engine/saga/outcome.js';
import { bundleWorkflows } from '../../src/engine/worker/index.js';
import { ownFolder } from '../support/owned-process.js';
import { startOwnTemporal, type OwnTemporal } from '../support/temporal.js';
import {
  hastyErrand,
  loudErrand,
  pairedErrand,
  strictErrand,
  urgentErrand,
} from './errand/errands.js';
import { openShop, type Shop } from './errand/shop.js';

// What no trip of the booking domain shows: the driver's timers, and a history that grows long.

const bundle = join(ownFolder('errands'), 'workflows.js');
let shop: Shop;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  await bundleWorkflows(new URL('errand/workflows.ts', import.meta.url).pathname, bundle);
  shop = await openShop(bundle);
});
afterAll(() => shop.close());

/** The log of calls that went one after another. */
const inTurn = (...calls: string[]) => calls.flatMap((call) => [`${call} begins`, `${call} ends`]);

test('an undo that takes long no longer holds up the one before it', async () => {
  let otherIsDone: () => void;
  const other = new Promise<void>((end) => (otherIsDone = end));
  const { state, log } = await shop.run(hastyErrand, {
    send: () => refused('no-courier'),
    'pack:undo': async () => {
      await other;
      return done(null);
    },
    'order:undo': () => {
      otherIsDone();
      return done(null);
    },
  });
  expect(state).toBe('undone');
  expect(log.slice(0, 6)).toEqual(inTurn('order', 'pack', 'send'));
  expect(log.slice(6, 8)).toEqual(['pack:undo begins', 'order:undo begins']);
  expect(log.slice(8).toSorted()).toEqual(['order:undo ends', 'pack:undo ends']);
});

test('where the author says stop, a slow undo holds up the one before it until it is done', async () => {
  const { state, log } = await shop.run(strictErrand, {
    send: () => refused('no-courier'),
    // Three times as long as what counts as slow.
    'pack:undo': () => pause(900, done(null)),
  });
  expect(state).toBe('undone');
  expect(log).toEqual(inTurn('order', 'pack', 'send', 'pack:undo', 'order:undo'));
});

test('a deadline ends the waiting for another try, and what was done is undone', async () => {
  const { state, because, log } = await shop.run(urgentErrand, {
    pack: () => again('closed-today', 120_000),
  });
  expect({ state, because }).toEqual({ state: 'undone', because: 'deadline' });
  expect(log).toEqual(inTurn('order', 'pack', 'order:undo'));
});

test('a step that its author would rather miss is missed when nobody knows, and the run goes on', async () => {
  const { state, steps, log } = await shop.run(loudErrand, {
    advertise: () => Promise.reject(new Error('the line is dead')),
  });
  expect(state).toBe('completed');
  expect(steps.map((step) => `${step.name} ${step.state}`)).toEqual([
    'order done',
    'advertise missed',
    'send done',
  ]);
  expect(log.filter((line) => line.startsWith('advertise'))).toEqual(['advertise begins']);
});

describe('steps that go on side by side', () => {
  /** Something that one call waits for and another one brings about. */
  function gate() {
    let open!: () => void;
    const passed = new Promise<void>((resolve) => (open = resolve));
    return { open, passed };
  }

  test('are both on their way at once, and the next one waits for both', async () => {
    const both = gate();
    const { state, log } = await shop.run(pairedErrand, {
      // Neither ends before the other has begun.
      order: async () => {
        await both.passed;
        return done(null);
      },
      pack: () => {
        both.open();
        return done(null);
      },
    });
    expect(state).toBe('completed');
    expect(log.slice(0, 4).toSorted()).toEqual(inTurn('order', 'pack').toSorted());
    expect(log.slice(4)).toEqual(inTurn('send'));
  });

  test('when one is refused, the other is awaited and undone, and nothing else begins', async () => {
    const refusedFirst = gate();
    const { state, because, log } = await shop.run(pairedErrand, {
      order: async () => {
        await refusedFirst.passed;
        return done(null);
      },
      pack: () => {
        setImmediate(refusedFirst.open);
        return refused('too-heavy');
      },
    });
    expect({ state, because }).toEqual({ state: 'undone', because: 'refused' });
    expect(log.indexOf('pack ends')).toBeLessThan(log.indexOf('order ends'));
    expect(log.slice(-3)).toEqual(['order ends', ...inTurn('order:undo')]);
  });

  test('are undone in the reverse order of their start, whichever was done first', async () => {
    const packed = gate();
    const { state, begun } = await shop.run(pairedErrand, {
      order: async () => {
        await packed.passed;
        return done(null);
      },
      pack: () => {
        packed.open();
        return done(null);
      },
      send: () => refused('no-courier'),
    });
    expect(state).toBe('undone');
    const [first, second, ...then] = begun;
    expect([first, second].toSorted()).toEqual(['order', 'pack']);
    expect(then).toEqual(['send', `${second}:undo`, `${first}:undo`]);
  });
});

describe('a history that grows long', () => {
  let temporal: OwnTemporal;
  let longShop: Shop;

  beforeAll(async () => {
    // More than it takes to come to the next call, or it would never get there.
    temporal = await startOwnTemporal({ suggestContinueAsNewAfter: 25 });
    longShop = await openShop(bundle, temporal.address);
  });
  afterAll(async () => {
    await longShop.close();
    await temporal.stop();
  });

  test('is continued in a new one, and nothing is done twice', async () => {
    const tries = ['closed-for-lunch'];
    const { id, state, log } = await longShop.run(hastyErrand, {
      pack: () => {
        const reason = tries.pop();
        return reason === undefined ? done(null) : again(reason, 500);
      },
    });
    expect(state).toBe('completed');
    expect(log).toEqual(inTurn('order', 'pack', 'pack', 'send'));
    const history = await longShop.temporal.client.workflow.getHandle(id).fetchHistory();
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.continuedExecutionRunId).toMatch(/./);
  });
});
