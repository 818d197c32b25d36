import { describe, expect, test } from 'vitest';
import { makeCall } from '../../activities/engine/make-call.js';
import { done, type Outcome } from '../../src/engine/saga/outcome.js';

// Whatever an act does, its call has one of four outcomes, in time.

interface Value {
  readonly id: string;
}

const TIMEOUT_MS = 50;
const never = (): Promise<never> => new Promise(() => undefined);

function parse(answered: unknown): Value {
  if (typeof answered !== 'object' || answered === null) throw new TypeError('no object');
  return answered as Value;
}

function outcomeOf(perform: () => Promise<Outcome<Value>>): Promise<Outcome<unknown>> {
  const context = { monotonicMs: () => performance.now() } as Parameters<typeof makeCall>[0];
  return makeCall(context, { kind: 'act', provider: 'shop', parse, perform } as never, {
    ...{ key: 'r:pay', input: null, sendBy: new Date(TIMEOUT_MS) },
    until: performance.now() + TIMEOUT_MS,
  });
}

describe('an act', () => {
  test.each<[string, () => Promise<Outcome<never>>, object]>([
    ['throws', () => Promise.reject(new Error('broken')), { kind: 'unknown', cause: 'act-threw' }],
    ['never answers', never, { kind: 'unknown', cause: 'timed-out' }],
    [
      'answers what its own parse does not read',
      () => Promise.resolve(done('paid' as never)),
      { kind: 'unknown', cause: 'value-unreadable' },
    ],
    [
      'answers more than can be carried',
      () => Promise.resolve(done({ id: 'x'.repeat(20_000) } as never)),
      { kind: 'unknown', cause: 'value-too-large' },
    ],
  ])('that %s may have taken effect all the same', async (_what, perform, outcome) => {
    expect(await outcomeOf(perform)).toEqual(outcome);
  });

  test('that answers in time has the outcome that it says', async () => {
    const outcome = await outcomeOf(() => Promise.resolve(done({ id: 'p_1' })));
    expect(outcome).toEqual({ kind: 'done', value: { id: 'p_1' } });
  });
});
