import { describe, expect, test } from 'vitest';
import { foldJournal } from '../../src/engine/saga/run-state.js';
import { inWords, stepTable } from '../../workflows/engine/words.js';
import { trip } from './saga/small-sagas.js';
import { Story } from './saga/story.js';

const booked = new Story(trip).done('charge', 'flight');
const lost = booked.unknown('hotel').cased();
const tableOf = (story: Story) => stepTable(foldJournal(story.saga, story.lines));

describe('the step table', () => {
  test('of a run that goes on has its state and its steps', () => {
    expect(tableOf(booked)).toBe(
      `
\`running\` \`forward\`

| step | state | undo |
|---|---|---|
| \`charge\` | \`done\` | \`owed\` |
| \`flight\` | \`done\` | \`owed\` |
| \`hotel\` | \`not_started\` | \`not_owed\` |
| \`ticket\` | \`not_started\` | \`not_owed\` |
| \`receipt\` | \`not_started\` | \`not_owed\` |
`.trim(),
    );
  });

  test('of a stuck run says above it which step, why, and how to look at it', () => {
    const [state, why, look] = tableOf(lost).split('\n\n');
    expect(state).toBe('`needs_reconciliation` `forward`');
    expect(why).toMatch(/^\*\*hotel waits for a person: nobody can say whether it took effect/);
    expect(look).toMatch(/^Look at it: `npx recourse cases show case-\d+`$/);
  });

  test('names every case that is open', () => {
    const one = booked.refused('hotel').turned('refused').refused('flight:undo').cased();
    const told = tableOf(one.refused('charge:undo').cased());
    expect(told.match(/^\*\*the undo of \w+ waits for a person: the undo/gm)).toHaveLength(2);
  });
});

test.each([
  ['unknown-outcome', 'hotel', 'do', /^hotel waits .* took effect, and \w+ cannot be asked$/],
  ['unknown-outcome', 'flight', 'do', /^flight waits .* can say whether it took effect$/],
  ['undo-stuck', 'charge', 'undo', /^the undo of charge waits .*: the undo does not get done$/],
  ['found-differs', 'charge', 'do', /^charge waits .*: the provider holds something else/],
] as const)('%s at %s (%s): its summary says why', (problem, step, direction, words) => {
  expect(inWords(trip, { kind: 'open-case', step, direction, problem })).toMatch(words);
});
