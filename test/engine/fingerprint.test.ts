import { describe, expect, test } from 'vitest';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import { type Sample, fingerprintOf } from '../../src/engine/saga/fingerprint.js';
import type { Act, UndoOf } from '../../src/engine/saga/act.js';

interface TripInput {
  readonly offer: string;
  readonly nights: number;
}
interface Acts {
  holdSeat: Act<'flights', unknown, { id: string }>;
  holdBetterSeat: Act<'flights', unknown, { id: string }>;
  releaseSeat: UndoOf<'holdSeat', unknown, { id: string }, null>;
  releaseBetterSeat: UndoOf<'holdBetterSeat', unknown, { id: string }, null>;
  reserveRoom: Act<'hotels', unknown, { id: string }>;
  issueTicket: Act<'flights', unknown, { ticket: string }>;
}

const begin = (version = 1) => defineSaga<TripInput, Acts>('trip', { version });
const undo = { run: 'releaseSeat', whenUnknown: 'repeat', why: 'harmless' } as const;
const seat = {
  run: 'holdSeat',
  at: 'flights',
  whenUnknown: 'ask-person',
  input: ({ input }: { input: TripInput }): unknown => ({ offer: input.offer, why: 'trip' }),
  undo,
} as const;
const room = {
  run: 'reserveRoom',
  at: 'hotels',
  whenUnknown: 'ask-person',
  input: ({ input }: { input: TripInput }): unknown => ({ nights: input.nights }),
  nothingToUndo: 'it lapses',
} as const;
const ticket = { run: 'issueTicket', at: 'flights', whenUnknown: 'ask-person' } as const;

const trip = () =>
  begin()
    .step('seat', seat)
    .step('room', room)
    .pivot('ticket', { ...ticket, input: (at) => ({ order: at.seat.id }) });

/** As the seat's own, with the keys of its answer turned round. */
const whyFirst = ({ input }: { input: TripInput }): unknown => ({
  why: 'trip',
  offer: input.offer,
});

const samples: readonly Sample[] = [
  { input: { offer: 'BLR-LHR', nights: 2 }, seat: { id: 'or_1' }, room: { id: 'rs_1' } },
  { input: { offer: 'LHR-BLR', nights: 1 }, seat: { id: 'or_2' }, room: { id: 'rs_2' } },
];
const fingerprint = fingerprintOf(trip(), samples);
const ofSeat = (change: object) => begin().step('seat', { ...seat, ...change });

describe('the fingerprint of a definition', () => {
  test('is readable text that a second reading repeats', () => {
    expect(fingerprintOf(trip(), samples)).toBe(fingerprint);
    expect(JSON.parse(fingerprint)).toMatchObject({
      name: 'trip',
      version: 1,
      rules: 1,
      steps: [
        {
          name: 'seat',
          forward: { run: 'holdSeat', whenUnknown: 'ask-person' },
          undo: { run: 'releaseSeat' },
          input: [
            { offer: 'BLR-LHR', why: 'trip' },
            { offer: 'LHR-BLR', why: 'trip' },
          ],
        },
        { name: 'room', input: [{ nights: 2 }, { nights: 1 }] },
        { name: 'ticket', place: 'pivot', input: [{ order: 'or_1' }, { order: 'or_2' }] },
      ],
    });
  });

  test.each([
    ['an input mapping', ofSeat({ input: () => ({ offer: 'BLR-LHR', why: 'trip' }) })],
    ['a name inside it', ofSeat({ input: (at: Sample) => ({ offers: at['input'] }) })],
    ['an option', ofSeat({ timeoutMs: 9_999 })],
    ['an option of the retry policy', ofSeat({ retry: { attempts: 6 } })],
    ['an option of the undo', ofSeat({ undo: { ...undo, timeoutMs: 1 } })],
    ['the answer to the unknown outcome', ofSeat({ whenUnknown: 'retry-with-key' })],
    ['an act', ofSeat({ run: 'holdBetterSeat', undo: { ...undo, run: 'releaseBetterSeat' } })],
    ['the way back', ofSeat({ undo: undefined, nothingToUndo: 'it lapses' })],
    ['a name', begin().step('chair', seat)],
    ['the place', begin().pivot('seat', { ...seat, undo: undefined } as never)],
    ['the version', begin(2).step('seat', seat)],
    ['what follows', begin().step('seat', seat).step('room', room)],
    [
      'an option of the saga',
      defineSaga<TripInput, Acts>('trip', { version: 1, deadlineMs: 5 }).step('seat', seat),
    ],
  ])('notices when %s changed', (_, changed) => {
    const before = fingerprintOf(ofSeat({}), samples);
    expect(fingerprintOf(changed, samples)).not.toBe(before);
  });

  test('notices another order of the same steps', () => {
    const one = begin().step('seat', seat).step('room', room);
    const other = begin().step('room', room).step('seat', seat);
    expect(fingerprintOf(one, samples)).not.toBe(fingerprintOf(other, samples));
  });

  test('does not notice another order of keys, nor a default that is written out', () => {
    const before = fingerprintOf(ofSeat({}), samples);
    const turned = Object.fromEntries(Object.entries(seat).toReversed()) as unknown as typeof seat;
    const written = { retry: { attempts: 5, capMs: 10_000 }, timeoutMs: 10_000 };
    const turnedSamples = samples.map((sample) =>
      Object.fromEntries(Object.entries(sample).toReversed()),
    );
    expect(fingerprintOf(begin().step('seat', turned), samples)).toBe(before);
    expect(fingerprintOf(ofSeat(written), samples)).toBe(before);
    expect(fingerprintOf(ofSeat({ input: whyFirst }), samples)).toBe(before);
    expect(fingerprintOf(trip(), turnedSamples)).toBe(fingerprint);
  });

  test('gives every input its own copy, of what stands before it only', () => {
    const seen: string[][] = [];
    const spoil = (at: { input: TripInput }) => {
      seen.push(Object.keys(at));
      Object.assign(at.input, { offer: 'spoilt' });
      return {};
    };
    fingerprintOf(
      begin()
        .step('seat', { ...seat, input: spoil })
        .step('room', room),
      samples,
    );
    expect(new Set(seen.flat())).toEqual(new Set(['input']));
    expect(samples[0]).toMatchObject({ input: { offer: 'BLR-LHR' } });
  });

  let calls = 0;
  test.each<[string, () => unknown]>([
    ['trip: no sample', () => fingerprintOf(trip(), [])],
    ['input of sample 1: the sample has no "seat"', () => fingerprintOf(trip(), [{ input: {} }])],
    ['trip › seat › input of sample 1: it throws', () => mapping(() => JSON.parse(''))],
    ['two calls answer differently, so it is not pure', () => mapping(() => (calls += 1))],
    ['JSON cannot carry it unchanged: [object Undefined]', () => mapping(() => undefined)],
    ['sample 1.at[1]: JSON cannot carry', () => mapping(() => ({ at: [1, new Date(0)] }))],
    ['JSON cannot carry it unchanged: [object Number]', () => mapping(() => NaN)],
  ])('is refused: %s', (message, act) => {
    expect(act).toThrow(RangeError);
    expect(act).toThrow(message);
  });
});

function mapping(input: () => unknown): string {
  return fingerprintOf(ofSeat({ input }), samples);
}
