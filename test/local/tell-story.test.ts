import { describe, expect, test } from 'vitest';
import type { DemoStory } from '../../src/local/demo/demo-story.js';
import { tellStory, type PlayedStory } from '../../src/local/demo/tell-story.js';
import { CASE, lostRun, readLostHotel, RUN } from '../cli/seen.js';

const story: DemoStory = {
  title: "Ada's trip",
  order: { path: '/v1/bookings', body: {} },
  endsAs: 'needs_reconciliation',
  end: 'waits for a person',
  ordered: 'Ada books a trip',
  steps: {
    charge: { done: 'The card is charged', undone: 'The money is given back' },
    hotel: {
      begun: 'The hotel is asked',
      done: 'A room is reserved',
      refused: 'There is no room',
      unknown: 'The answer is lost',
    },
  },
  standing: (effects) =>
    effects.map(({ id, gone }) => ({
      what: `charge ${id}`,
      stands: gone !== true,
      how: gone === true ? 'refunded once' : 'stands',
    })),
  valueOf: (_step, effects) => (effects.length > 1 ? { id: 'rs_1' } : undefined),
};

const way = { cli: 'npx recourse', sandboxUrl: 'http://127.0.0.1:4010' };

interface Line {
  readonly second?: string;
  readonly text?: string;
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** A run with these lines after its order, the first one told with its second. */
function played(lines: readonly Line[], changes: Partial<PlayedStory> = {}): PlayedStory {
  const timeline = [{ kind: 'accepted' } as Line, ...lines].map((line, index) => {
    const { second = '00.000', text = 'in the words of the API.', ...fact } = line;
    return { seq: index + 1, at: `2026-11-30T10:00:${second}Z`, text, line: fact };
  });
  return { story, run: lostRun({ timeline }), cases: [], effects: [], ...changes };
}

const linesOf = (lines: readonly Line[]) =>
  tellStory(played(lines), way)
    .split('\n')
    .filter((line) => /^ +\d+\.\d\d s /.test(line))
    .slice(1)
    .map((line) => line.replace(/^ +\d+\.\d\d s {2}/, ''));

const DO = { step: 'hotel', direction: 'do' };
const CHARGE = { step: 'charge', direction: 'do' };
const UNDO = { step: 'charge', direction: 'undo' };
const begun = { kind: 'begun', ...DO };
const done = { kind: 'ended', outcome: 'done', provider_id: 'rs_1', ...DO };
const inApiWords = 'in the words of the API.';

describe('a line', () => {
  test.each<[string, Line[], string[]]>([
    ['what is done is told with its id', [done], ['A room is reserved (rs_1).']],
    [
      'without an id where there is none',
      [{ ...done, provider_id: null }],
      ['A room is reserved.'],
    ],
    [
      'a refusal with its code',
      [{ kind: 'ended', outcome: 'refused', code: 'sold_out', ...DO }],
      ['There is no room (sold_out).'],
    ],
    [
      'an unknown outcome with its cause',
      [{ kind: 'ended', outcome: 'unknown', cause: 'time-out', ...DO }],
      ['The answer is lost (time-out).'],
    ],
    [
      'an undo in its own words',
      [{ kind: 'ended', outcome: 'done', provider_id: 're_1', ...UNDO }],
      ['The money is given back (re_1).'],
    ],
    ['a begin whose end follows is left out', [begun, done], ['A room is reserved (rs_1).']],
    [
      'a begin is told when something else came in between',
      [begun, { kind: 'cancel-accepted' }, done],
      ['The hotel is asked.', inApiWords, 'A room is reserved (rs_1).'],
    ],
    ['a begin that nothing follows is told', [begun], ['The hotel is asked.']],
    [
      'of two side by side neither begin is news to the other',
      [{ kind: 'begun', ...CHARGE }, begun, { kind: 'ended', outcome: 'done', ...CHARGE }, done],
      ['The card is charged.', 'A room is reserved (rs_1).'],
    ],
    [
      'of two side by side that is told which something else found on its way',
      [
        { kind: 'begun', ...CHARGE },
        begun,
        { kind: 'ended', outcome: 'done', ...CHARGE },
        { kind: 'cancel-accepted' },
        done,
      ],
      ['The hotel is asked.', 'The card is charged.', inApiWords, 'A room is reserved (rs_1).'],
    ],
    ['a begin without words', [{ kind: 'begun', ...UNDO }], [inApiWords]],
    ['an undo that was refused', [{ kind: 'ended', outcome: 'refused', ...UNDO }], [inApiWords]],
    ['an end that is none', [{ kind: 'ended', outcome: 'again', ...DO }], [inApiWords]],
    ['a step without words', [{ ...done, step: 'spa' }], [inApiWords]],
    ['a kind that is newer than this demo', [{ kind: 'rained' }], [inApiWords]],
  ])('%s', (_what, lines, told) => {
    expect(linesOf(lines)).toEqual(told);
  });
});

test('a stuck run is told with its times, the proof, and what a person can say', () => {
  const told = tellStory(
    played([{ ...done, second: '01.250' }], {
      cases: [readLostHotel()],
      effects: [{ id: 'ch_1' }, { id: 'ch_22', gone: true }],
    }),
    way,
  );
  expect(told).toBe(
    `
── Ada's trip: waits for a person, after 12.50 s ──  ${RUN}
     0.00 s  Ada books a trip.
     1.25 s  A room is reserved (rs_1).
   The providers' own record: 1 of 2 stand
     charge ch_1   stands
     charge ch_22  refunded once
     curl -s 'http://127.0.0.1:4010/_sandbox/effects?reference=${RUN}'
   On the desk: ${CASE}. A person asks hotels, and says one of:
     happened        The run goes on.
     did-not-happen  It is attempted again.
   Look: npx recourse cases show ${CASE}
   Say:  npx recourse cases resolve ${CASE} --verdict happened --value '{"id":"rs_1"}' \\
           --evidence 'their own record' --reason 'it tells what happened'
   In the Temporal UI: http://127.0.0.1:8233/run
`.trim(),
  );
});

test('when the provider did nothing, that is the verdict to copy', () => {
  const told = tellStory(played([], { cases: [readLostHotel()], effects: [{ id: 'ch_1' }] }), way);
  expect(told).toContain(`cases resolve ${CASE} --verdict did-not-happen \\`);
});

test('when nothing stands, it says so', () => {
  const told = tellStory(played([], { effects: [{ id: 'ch_1', gone: true }] }), way);
  expect(told).toContain("The providers' own record: nothing stands");
});

test('a run that ended otherwise than it should is not called what it is not', () => {
  const run = lostRun({ state: 'running' });
  expect(tellStory(played([], { run }), way)).toContain(
    "── Ada's trip: running, and not needs_reconciliation, after",
  );
});

test('a start over a Temporal without a UI tells no link', () => {
  const run = lostRun({ temporal: { workflow_id: RUN, url: null } });
  expect(tellStory(played([], { run }), way)).not.toContain('Temporal');
});
