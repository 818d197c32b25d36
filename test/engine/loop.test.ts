import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLoop, type Turn } from '../../src/engine/outbox/loop.process.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A loop whose turns end as the list says, one after another; the last one repeats. */
function loopOf(results: (Turn | Error)[]) {
  const seen = { turns: 0, up: 0, down: [] as unknown[] };
  const loop = startLoop({
    everyMs: 1_000,
    changes: { up: () => void (seen.up += 1), down: (error) => void seen.down.push(error) },
    turn: async () => {
      const result = results[Math.min(seen.turns, results.length - 1)];
      seen.turns += 1;
      if (result instanceof Error) throw result;
      return result ?? 'idle';
    },
  });
  return { loop, seen, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('turns that go on follow one another, the others after a pause', async () => {
  const { loop, seen, pass } = loopOf(['go-on', 'go-on', 'idle']);
  await pass(0);
  expect(seen.turns).toBe(3);
  await pass(999);
  expect(seen.turns).toBe(3);
  await pass(1);
  expect(seen.turns).toBe(4);
  await loop.stop();
});

test.each<[result: Turn, turns: number]>([
  ['idle', 2],
  ['hold', 1],
])('news end the pause of a loop that is %s: %i turns', async (result, turns) => {
  const { loop, seen, pass } = loopOf([result]);
  await pass(0);
  loop.wake();
  await pass(0);
  expect(seen.turns).toBe(turns);
  await loop.stop();
});

test('news that come in the middle of a turn are not lost', async () => {
  let end = (): void => undefined;
  let turns = 0;
  const loop = startLoop({
    everyMs: 1_000,
    changes: { up: () => undefined, down: () => undefined },
    turn: () => {
      turns += 1;
      return new Promise((resolve) => (end = () => resolve('idle')));
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  loop.wake();
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toBe(2);
  const stopped = loop.stop();
  end();
  await stopped;
});

test('a turn that throws does not end the loop, and news do not drive it', async () => {
  const broken = new Error('lost');
  const { loop, seen, pass } = loopOf([broken, broken, 'idle']);
  const started = vi.fn();
  void loop.started.then(started);
  await pass(0);
  loop.wake();
  await pass(0);
  expect(seen).toEqual({ turns: 1, up: 0, down: [broken] });
  expect(started).not.toHaveBeenCalled();
  await pass(2_000);
  expect(seen).toEqual({ turns: 3, up: 1, down: [broken, broken] });
  expect(started).toHaveBeenCalledOnce();
  await loop.stop();
});

test.each<Turn>(['idle', 'hold'])('a loop in its pause (%s) ends at once', async (result) => {
  const { loop, seen, pass } = loopOf([result]);
  await pass(0);
  await loop.stop();
  await pass(5_000);
  expect(seen.turns).toBe(1);
});
