import { describe, expect, test } from 'vitest';
import { foldJournal } from '../../src/engine/saga/run-state.js';
import { inWords, stepTable } from '../../workflows/engine/words.js';
import { sagaOf, trip } from './saga/small-sagas.js';
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

  test('says what is kept, once the pivot took effect', () => {
    const rows = tableOf(booked.done('hotel', 'ticket')).split('\n').slice(-5);
    expect(rows.map((row) => row.split(' | ')[2])).toEqual([
      ...['`kept` |', '`kept` |', '`kept` |'],
      ...['`not_owed` |', '`not_owed` |'],
    ]);
  });

  test('names every case that is open', () => {
    const one = booked.refused('hotel').turned('refused').refused('flight:undo').cased();
    const told = tableOf(one.refused('charge:undo').cased());
    expect(told.match(/^\*\*the undo of \w+ waits for a person: the undo/gm)).toHaveLength(2);
  });
});

const ASK = { whenUnknown: 'ask-person' } as const;
const paired = sagaOf({
  charge: ASK,
  flight: { ...ASK, group: 1 },
  hotel: { ...ASK, group: 1 },
  ticket: { ...ASK, place: 'pivot' },
});

describe('steps side by side', () => {
  test('are marked in the step table, and the next one is not', () => {
    const rows = tableOf(new Story(paired)).split('\n').slice(-4);
    expect(rows.map((row) => row.split(' | ')[0])).toEqual([
      '| `charge`',
      '| `flight`',
      '| ∥ `hotel`',
      '| `ticket`',
    ]);
  });

  test.each([
    ['charge', 'do', 'step 1 of 4: charge (charge), attempt 1'],
    ['flight', 'do', 'step 2 of 4, beside hotel: flight (flight), attempt 1'],
    ['hotel', 'do', 'step 3 of 4, beside flight: hotel (hotel), attempt 1'],
    ['ticket', 'do', 'step 4 of 4: ticket (ticket), attempt 1'],
  ] as const)('%s (%s): its summary names the other', (step, direction, words) => {
    expect(inWords(paired, { kind: 'call', step, direction, attempt: 1 })).toBe(words);
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
