import { expect, test } from 'vitest';
import {
  explorationPage,
  inOrder,
  sayExploration,
  sayResult,
} from '../../../src/engine/testing/exploration-page.js';
import { explore } from '../../../src/engine/testing/explore.js';
import { smallest } from './explored-sagas.js';

const how = { faults: 1, threads: 2, tookMs: 500, walks: 20, seed: 7 };
const kept = { ...explore(smallest, { faults: 1 }), ...how };
const broken = {
  ...kept,
  failure: {
    invariant: 'a room is <never> lost',
    broken: 'it was',
    schedule: {},
    story: 'once <upon> a time',
    test: 'test("…")',
  },
};

test('says what was tried, how fast, and that all was kept', () => {
  expect(sayExploration(smallest, kept)).toBe(
    `small version 1: ${kept.schedules} schedules of up to 1 fault (0: 1, 1: ` +
      `${kept.schedules - 1}) in 0.5 s, ${kept.schedules * 2} a second on 2 threads.`,
  );
  expect(sayResult(kept)).toBe('Every promise was kept; in 20 random runs from seed 7 too.');
  expect(sayResult(broken)).toBe('Broken: a room is <never> lost: it was.');
});

test('has a row for each fault that was tried, in the order of the steps', () => {
  const page = explorationPage(smallest, kept);
  expect(page.match(/<tr><td>/g)).toHaveLength(kept.tried.length);
  const subjects = [...new Set(inOrder(smallest, kept.tried).map(({ subject }) => subject))];
  expect(subjects).toEqual(['the run', 'charge', 'room']);
  expect(page).toContain('<td>charge</td><td>answer lost</td>');
});

test('every width of a bar is the share of an ending, and they fill it', () => {
  const page = explorationPage(smallest, kept);
  const bars = [...page.matchAll(/<td class="bar"><div>(.*?)<\/div>/g)];
  const sums = bars.map(([, bar = '']) =>
    [...bar.matchAll(/width:([\d.]+)%/g)].reduce((sum, [, width]) => sum + Number(width), 0),
  );
  expect(sums.length).toBe(kept.tried.length);
  expect(sums.every((sum) => Math.abs(sum - 100) < 0.1)).toBe(true);
});

test('tells the story of what broke it, and nothing in it is taken for HTML', () => {
  const page = explorationPage(smallest, broken);
  expect(page).toContain('once &lt;upon&gt; a time');
  expect(page).toContain('a room is &lt;never&gt; lost');
  expect(page).not.toContain('<upon>');
});

test('says what counts as a fault, and what is promised', () => {
  const page = explorationPage(smallest, kept);
  for (const words of ['answer lost', 'is silent', 'an operator abandons it', 'a minute late']) {
    expect(page.split('What counts as a fault')[1]).toContain(words);
  }
  expect(page.split('What was promised')[1]).toContain('nothing takes effect twice');
});
