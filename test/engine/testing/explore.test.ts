import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/engine/testing/explore.js';
import { following, scheduleOf, type Schedule } from '../../../src/engine/testing/choices.js';
import type { Invariant } from '../../../src/engine/testing/invariant.js';
import { PROMISES } from '../../../src/engine/testing/invariants.js';
import { failureOf } from '../../../src/engine/testing/judge.js';
import { playWith } from '../../../src/engine/testing/play.js';
import type { Played } from '../../../src/engine/testing/played.js';
import { sumOf } from '../../../src/engine/testing/tally.js';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import { hurriedTrip, widerTrip } from '../saga/small-sagas.js';
import { exploredSagas, smallest } from './explored-sagas.js';

/** Seconds of work, and minutes on a machine with much else to do. */
const timeout = 120_000;

describe('whatever happens', () => {
  test.each(exploredSagas)('%s keeps every promise under one fault', { timeout }, (_name, saga) => {
    expect(explore(saga, { faults: 1 }).failure).toBe(null);
  });

  test('the smallest saga keeps every promise under two', { timeout }, () => {
    const { failure, endings } = explore(smallest, { faults: 2 });
    expect(failure).toBe(null);
    expect(Object.keys(endings)).toEqual(['completed', 'undone', 'cancelled', 'closed_by_hand']);
  });

  test.each(exploredSagas)('%s completes when nothing goes wrong', (_name, saga) => {
    const { endings, failure } = explore(saga, { faults: 0 });
    expect({ endings: Object.keys(endings), failure }).toEqual({
      endings: ['completed'],
      failure: null,
    });
  });
});

/** Every schedule of at most so many faults, each played from its beginning: slow, and plain. */
function everySchedule(saga: SagaDefinition, faults: number): Map<string, Played> {
  const all = new Map<string, Played>();
  const goOn = (schedule: Schedule): void => {
    const name = JSON.stringify(schedule);
    if (all.has(name)) return;
    const played = playWith(saga, following(schedule));
    all.set(name, played);
    const spent = played.choices.filter(({ taken, isFault }) => taken > 0 && isFault).length;
    const last = played.choices.findLastIndex(({ taken }) => taken > 0);
    for (const { where, options, isFault } of played.choices.slice(last + 1)) {
      if (isFault && spent === faults) continue;
      for (const option of options.slice(1)) goOn({ ...schedule, [where]: option });
    }
  };
  goOn({});
  return all;
}

describe('what is tried', () => {
  test.each([
    ['a saga with two steps, two faults', smallest, 2],
    ['steps side by side, one fault', widerTrip, 1],
  ])('%s: all that playing each from its beginning tries', { timeout }, (_name, saga, faults) => {
    const plain = everySchedule(saga, faults);
    const seen = new Map<string, string>();
    const spy: Invariant = {
      name: 'is seen',
      broken: (played) => {
        seen.set(JSON.stringify(scheduleOf(played.choices)), JSON.stringify(played.written));
        return null;
      },
    };
    const { schedules } = explore(saga, { faults, invariants: [spy] });
    expect([...seen.keys()].toSorted()).toEqual([...plain.keys()].toSorted());
    expect(schedules).toBe(plain.size);
    const differs = [...plain].filter(
      ([name, { written }]) => seen.get(name) !== JSON.stringify(written),
    );
    expect(differs).toEqual([]);
  });

  test.each([2, 3, 7])('in %i parts it is the same, each once', { timeout }, (of) => {
    const { failure: _none, ...whole } = explore(widerTrip, { faults: 1 });
    const parts = Array.from({ length: of }, (_, index) =>
      explore(widerTrip, { faults: 1, part: { index, of } }),
    );
    const { tried, ...sum } = sumOf(parts);
    expect(sum).toEqual({ ...whole, tried: undefined });
    expect(new Set(tried)).toEqual(new Set(whole.tried));
    expect(parts.every(({ schedules }) => schedules > 0)).toBe(true);
  });

  test('progress only grows, and says how many faults are played', { timeout }, () => {
    const told: { readonly faults: number; readonly share: number }[] = [];
    explore(hurriedTrip, { faults: 2, onProgress: (progress) => told.push(progress) });
    const far = told.map(({ faults, share }) => faults + share);
    expect(far.length).toBeGreaterThan(2);
    expect(far).toEqual(far.toSorted((one, other) => one - other));
    expect(far.every((one) => one <= 3)).toBe(true);
  });
});

describe('what is broken', () => {
  const neverAsked: Invariant = {
    name: 'the desk stays empty',
    broken: ({ written }) =>
      written.some(({ line }) => line.kind === 'case-opened') ? 'a person was asked' : null,
  };

  test('is found with the fewest faults that can, and told as a story', { timeout }, () => {
    const { failure } = explore(smallest, { faults: 3, invariants: [neverAsked] });
    expect(failure).toMatchObject({
      invariant: 'the desk stays empty',
      broken: 'a person was asked',
    });
    const { schedule = {}, story = '' } = failure ?? {};
    expect(Object.keys(schedule)).toHaveLength(1);
    for (const [where, option] of Object.entries(schedule)) {
      expect(story).toContain(`! ${where}: ${option}`);
    }
    expect(story).toContain('waits for a person');
  });

  test('is handed over as a test that fails as well', { timeout }, () => {
    const { failure } = explore(smallest, { faults: 1, invariants: [neverAsked] });
    expect(failure?.test).toBe(
      [
        "import { play } from 'recourse/testing';",
        "import { expect, test } from 'vitest';",
        '// Import here, from where they are, what you have as smallV1, theDeskStaysEmpty.',
        '',
        'test("small: the desk stays empty", () => {',
        '  const { broken } = play(smallV1, {',
        `    ${Object.entries(failure?.schedule ?? {}).map((pair) => pair.map((one) => JSON.stringify(one)).join(': '))},`,
        '  }, { invariants: [theDeskStaysEmpty] });',
        '  expect(broken).toBe(null);',
        '});',
      ].join('\n'),
    );
    const played = playWith(smallest, following(failure?.schedule ?? {}));
    expect(neverAsked.broken(played)).toBe('a person was asked');
  });

  test.each([
    [{}, 'play(smallV1, {\n  });'],
    [{ providers: { keyed: { keyWindowMs: null } } }, 'play(smallV1, {\n  }, { providers });'],
  ])('of the engine needs no invariant there; with %j it is %j', (surroundings, call) => {
    const promised: Invariant = { name: PROMISES[0]?.name ?? '', broken: () => 'it was' };
    expect(failureOf(smallest, {}, surroundings, [promised]).test).toContain(call);
  });
});
