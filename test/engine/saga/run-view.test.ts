import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/engine/saga/run-view.js';
import { plain, tableUnder, tablesUnder } from '../../support/document.js';
import { byPerson, hurriedTrip, sagaOf, trip } from './small-sagas.js';
import { Story } from './story.js';
import { expectSameRows, meaningOf, page } from './tables.js';

const start = new Story(trip);
const booked = start.done('charge', 'flight');
const ticketed = booked.done('hotel', 'ticket');
const lost = booked.unknown('hotel').cased();
const back = booked.cancelled().turned('cancel');
const soldOut = booked.refused('hotel').turned('refused');
const stuck = soldOut.refused('flight:undo').cased();
const left = lost.verdict('hotel', 'left-as-is').turned('person');
const abandoned = (story: Story) => story.add({ kind: 'abandoned' }).finished('closed_by_hand');

describe('how a run stands', () => {
  const { rows } = tableUnder(page, 'How a run stands');
  const states: Readonly<Record<string, readonly Story[]>> = {
    running: [start, booked, ticketed],
    undoing: [back, soldOut],
    needs_reconciliation: [lost, stuck],
    completed: [ticketed.done('receipt').finished('completed')],
    undone: [soldOut.done('flight:undo', 'charge:undo').finished('undone')],
    cancelled: [back.done('flight:undo', 'charge:undo').finished('cancelled')],
    closed_by_hand: [
      left.done('flight:undo', 'charge:undo').finished('closed_by_hand'),
      abandoned(booked),
    ],
  };

  test('the page and the tests know the same states', () => {
    expectSameRows(rows, states);
  });

  test.each(rows)('%s: %s', (state) => {
    for (const story of meaningOf(states, state)) expect(story.view().state).toBe(plain(state));
  });

  test('a case stands beside the direction that the run has', () => {
    expect([lost.view().direction, stuck.view().direction]).toEqual(['forward', 'undo']);
    expect([lost.view().step, stuck.view().step]).toEqual(['hotel', 'flight']);
    expect([lost.view().problem, stuck.view().problem]).toEqual(['unknown-outcome', 'undo-stuck']);
  });

  test('without a case the step that was begun last is shown', () => {
    expect(start.view().step).toBe(null);
    expect(booked.view().step).toBe('flight');
    expect(back.begun('flight:undo').done('charge:undo').view().step).toBe('charge');
  });
});

describe('what the customer sees of a run', () => {
  const [statuses] = tablesUnder(page, 'What the customer sees');
  const rows = statuses?.rows ?? [];
  /** Each story is of its row, and of as many rows below it as can be. */
  const seen: Readonly<Record<string, readonly Story[]>> = {
    'completed, or its pivot took effect': [
      ticketed,
      abandoned(ticketed),
      ticketed.refused('receipt').cased(),
      ticketed.done('receipt').finished('completed'),
      ticketed
        .refused('receipt')
        .cased()
        .verdict('receipt', 'left-as-is')
        .finished('closed_by_hand'),
    ],
    'closed by hand': [
      abandoned(booked),
      abandoned(back),
      left.finished('closed_by_hand'),
      lost.cancelled().verdict('hotel', 'left-as-is').turned('cancel').finished('closed_by_hand'),
    ],
    'ended as cancelled': [back.done('flight:undo', 'charge:undo').finished('cancelled')],
    'ended as undone': [soldOut.done('flight:undo', 'charge:undo').finished('undone')],
    'a cancel is accepted': [booked.cancelled(), back, lost.cancelled()],
    'a case is open': [lost, stuck],
    'it has turned back': [soldOut, left],
    'anything else': [start, booked, booked.unknown('hotel')],
  };

  test('the page and the tests know the same rows', () => {
    expectSameRows(rows, seen);
  });

  test.each(rows)('%s: %s', (row, status = '') => {
    for (const story of meaningOf(seen, row)) expect(story.view().status).toBe(plain(status));
  });
});

function shown(story: Story, step: string): RunView['steps'][number] | undefined {
  return story.view().steps.find(({ name }) => name === step);
}

describe('what is seen of a step', () => {
  const [, ofStep, ofUndo] = tablesUnder(page, 'What the customer sees');
  const receipt = { whenUnknown: 'prefer-miss', place: 'after-pivot' } as const;
  const told = new Story(
    sagaOf({ ticket: { ...byPerson, place: 'pivot' }, receipt, survey: receipt }),
  ).done('ticket');
  const closed = told
    .refused('receipt')
    .cased()
    .verdict('receipt', 'left-as-is')
    .finished('closed_by_hand');
  const steps: Readonly<Record<string, readonly (readonly [Story, string])[]>> = {
    'not begun': [[booked, 'hotel']],
    'an attempt is in flight': [
      [booked.begun('hotel'), 'hotel'],
      [booked.unknown('hotel').begun('hotel'), 'hotel'],
    ],
    'certainly not happened so far, and will be sent again': [
      [booked.again('hotel'), 'hotel'],
      [start.done('charge').unknown('flight').notThere('flight'), 'flight'],
    ],
    'took effect': [
      [booked, 'charge'],
      [start.unknown('charge').found('charge'), 'charge'],
    ],
    'happened, and was undone by hand': [[lost.verdict('hotel', 'undone-by-hand'), 'hotel']],
    'the provider said no': [[soldOut, 'hotel']],
    'nobody can say': [
      [lost, 'hotel'],
      [booked.unknown('hotel').again('hotel'), 'hotel'],
      [booked.unknown('hotel').refused('hotel'), 'hotel'],
    ],
    'left as it is': [[left, 'hotel']],
    'let go, as its author chose': [[told.unknown('receipt'), 'receipt']],
    'will never be sent': [
      [soldOut, 'ticket'],
      [booked.again('hotel').cancelled().turned('cancel'), 'hotel'],
      [closed, 'survey'],
    ],
  };
  const undos: Readonly<Record<string, readonly (readonly [Story, string])[]>> = {
    'it has no undo': [[ticketed, 'ticket']],
    'it did not happen': [
      [soldOut, 'hotel'],
      [booked.again('hotel'), 'hotel'],
      [booked, 'hotel'],
    ],
    'it may have happened, or did': [
      [booked, 'flight'],
      [lost, 'hotel'],
      [booked.begun('hotel'), 'hotel'],
      [back, 'flight'],
      [ticketed, 'charge'],
    ],
    'the undo is sent, and not yet done': [
      [back.begun('flight:undo'), 'flight'],
      [back.unknown('flight:undo'), 'flight'],
      [back.again('flight:undo'), 'flight'],
    ],
    'the undo is done': [[back.done('flight:undo'), 'flight']],
    'the undo is on the desk': [[stuck, 'flight']],
    'a person undid it': [
      [stuck.verdict('flight:undo', 'undone-by-hand'), 'flight'],
      [lost.verdict('hotel', 'undone-by-hand'), 'hotel'],
    ],
    'a person left it, or abandoned the run with it': [
      [abandoned(booked), 'flight'],
      [abandoned(booked.begun('hotel')), 'hotel'],
      [stuck.verdict('flight:undo', 'left-as-is'), 'flight'],
      [left, 'hotel'],
    ],
  };

  test('the page and the tests know the same words', () => {
    expectSameRows(ofStep?.rows ?? [], steps);
    expectSameRows(ofUndo?.rows ?? [], undos);
  });

  test.each(ofStep?.rows ?? [])('a step is shown, when %s, as %s', (row, state = '') => {
    for (const [story, step] of meaningOf(steps, row)) {
      expect(shown(story, step)?.state).toBe(plain(state));
    }
  });

  test.each(ofUndo?.rows ?? [])('the way back is shown, when %s, as %s', (row, undo = '') => {
    for (const [story, step] of meaningOf(undos, row)) {
      expect(shown(story, step)?.undo).toBe(plain(undo));
    }
  });
});

describe('why a booking failed', () => {
  test.each([
    ['a refusal', soldOut, { code: 'sold-out', step: 'hotel' }],
    [
      'the deadline',
      new Story(hurriedTrip).done('charge').turned('deadline'),
      { code: 'deadline-passed', step: 'charge' },
    ],
    ['a verdict', left, { code: 'closed-by-hand', step: 'hotel' }],
    ['a cancel', back, null],
    ['nothing', ticketed, null],
  ])('%s is told as it is', (_why, story, failure) => {
    expect(story.view().failure).toEqual(failure);
  });
});
