import { describe, expectTypeOf, test } from 'vitest';
import type { Act, FindOf, UndoOf } from '../../src/engine/saga/act.js';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import type { Saga } from '../../src/engine/saga/saga-types.js';

interface Money {
  readonly amount: number;
  readonly currency: string;
}
interface TripInput {
  readonly source: string;
  readonly total: Money;
  readonly flight: string;
  readonly hotel: string;
  readonly nights: number;
  readonly email: string;
}
/** All providers answer this shape, so only names can tell their acts apart. */
interface Answer {
  readonly id: string;
  readonly status: string;
  readonly reference: string;
}
interface Acts {
  chargeCard: Act<'payments', { source: string; total: Money }, Answer>;
  refundCard: UndoOf<'chargeCard', { source: string; total: Money }, Answer, Answer>;
  findCharge: FindOf<'chargeCard', Answer>;
  findRefund: FindOf<'refundCard', Answer>;
  holdSeat: Act<'flights', { offer: string }, Answer>;
  releaseSeat: UndoOf<'holdSeat', { offer: string }, Answer, null>;
  findSeat: FindOf<'holdSeat', Answer>;
  reserveRoom: Act<'hotels', { offer: string; nights: number }, Answer>;
  releaseRoom: UndoOf<'reserveRoom', { offer: string; nights: number }, Answer, null>;
  issueTicket: Act<'flights', { order: string }, { ticket: string }>;
  findTicket: FindOf<'issueTicket', { ticket: string }>;
  sendReceipt: Act<'messages', { to: string; ticket: string }, null>;
}

const trip = () =>
  defineSaga<TripInput, Acts>('book-trip', { version: 1, deadlineMs: 15 * 60_000 })
    .step('charge', {
      run: 'chargeCard',
      at: 'payments',
      whenUnknown: 'retry-with-key',
      find: 'findCharge',
      input: ({ input }) => ({ source: input.source, total: input.total }),
      undo: { run: 'refundCard', whenUnknown: 'retry-with-key', find: 'findRefund' },
    })
    .step('flight', {
      run: 'holdSeat',
      at: 'flights',
      whenUnknown: 'ask-provider',
      find: 'findSeat',
      retry: { attempts: 3 },
      timeoutMs: 5_000,
      input: ({ input }) => ({ offer: input.flight }),
      undo: {
        run: 'releaseSeat',
        whenUnknown: 'repeat',
        why: 'a seat that is cancelled already answers 200',
        retry: { capMs: 60_000 },
        timeoutMs: 5_000,
      },
      onStuckUndo: 'stop',
    })
    .step('hotel', {
      run: 'reserveRoom',
      at: 'hotels',
      whenUnknown: 'ask-person',
      input: ({ input }) => ({ offer: input.hotel, nights: input.nights }),
      undo: { run: 'releaseRoom', whenUnknown: 'repeat', why: 'answers 409 already_cancelled' },
    })
    .pivot('ticket', {
      run: 'issueTicket',
      at: 'flights',
      whenUnknown: 'ask-provider',
      find: 'findTicket',
      input: ({ flight }) => ({ order: flight.id }),
    })
    .step('receipt', {
      run: 'sendReceipt',
      at: 'messages',
      whenUnknown: 'prefer-duplicate',
      why: 'two receipts are better than none',
      input: ({ input, ticket }) => ({ to: input.email, ticket: ticket.ticket }),
    });

const s = defineSaga<TripInput, Acts>('bad', { version: 1 });
const seat = {
  run: 'holdSeat',
  at: 'flights',
  whenUnknown: 'ask-provider',
  find: 'findSeat',
  input: ({ input }: { input: TripInput }) => ({ offer: input.flight }),
} as const;
const seatAt = { run: 'holdSeat', at: 'flights', input: seat.input } as const;
const seatUndo = { run: 'releaseSeat', whenUnknown: 'repeat', why: 'harmless' } as const;
const undo = seatUndo;
const ticket = { run: 'issueTicket', at: 'flights', whenUnknown: 'ask-person' } as const;
const receipt = {
  run: 'sendReceipt',
  at: 'messages',
  input: ({ input }: { input: TripInput }) => ({ to: input.email, ticket: 'none' }),
} as const;

describe('what a definition is', () => {
  test('a chain with a step is a definition that knows what its runs start with', () => {
    expectTypeOf(trip()).toExtend<SagaDefinition>();
    expectTypeOf(trip()).toExtend<Saga<TripInput>>();
    expectTypeOf(trip()).not.toExtend<Saga<{ source: number }>>();
    expectTypeOf(s.step('seat', { ...seat, undo })).toExtend<Saga<TripInput>>();
  });

  test('a chain without a step is not one', () => {
    expectTypeOf(s).not.toExtend<SagaDefinition>();
  });

  test('a step reads the input and the results of earlier steps, and nothing else', () => {
    trip().step('survey', {
      ...receipt,
      whenUnknown: 'prefer-miss',
      why: 'nobody misses it',
      input: (at) => {
        expectTypeOf(at.input).toEqualTypeOf<TripInput>();
        expectTypeOf(at.hotel).toEqualTypeOf<Answer>();
        expectTypeOf(at.ticket).toEqualTypeOf<{ ticket: string }>();
        expectTypeOf(at.receipt).toEqualTypeOf<null>();
        expectTypeOf(at).not.toHaveProperty('survey');
        return { to: at.input.email, ticket: at.ticket.ticket };
      },
    });
  });

  test('the result of a step that prefers a miss may be missing', () => {
    const hold = { ...seatAt, whenUnknown: 'prefer-miss', why: 'x', nothingToUndo: 'x' } as const;
    s.step('hold', hold).pivot('next', {
      ...ticket,
      input: (at) => {
        expectTypeOf(at.hold).toEqualTypeOf<Answer | null>();
        return { order: at.hold?.id ?? 'none' };
      },
    });
  });
});

describe('what is legal', () => {
  test('an undo, a reason why there is none, and any answer with a reason', () => {
    s.step('fine', { ...seat, undo });
    s.step('also-fine-2', { ...seat, nothingToUndo: 'a hold lapses by itself' });
    s.step('reasoned', { ...seat, why: 'they have no keys', undo });
    s.pivot('first', seat);
    s.step('kept', { ...seat, undo })
      .pivot('then', seat)
      .step('last', { ...seat, retry: {} });
  });
});

describe('steps that go on side by side', () => {
  const room = {
    run: 'reserveRoom',
    at: 'hotels',
    whenUnknown: 'ask-person',
    input: ({ input }: { input: TripInput }) => ({ offer: input.hotel, nights: input.nights }),
    undo: { run: 'releaseRoom', whenUnknown: 'repeat', why: 'harmless' },
  } as const;

  test('are read by what comes after them, and read what comes before', () => {
    s.step('hold', { ...seat, undo })
      .parallel((group) =>
        group
          .step('flight', {
            ...seatAt,
            whenUnknown: 'ask-person',
            undo,
            input: (at) => {
              expectTypeOf(at.hold).toEqualTypeOf<Answer>();
              return { offer: at.hold.id };
            },
          })
          .step('hotel', room)
          .step('lounge', {
            ...seatAt,
            whenUnknown: 'prefer-miss',
            why: 'x',
            nothingToUndo: 'x',
          }),
      )
      .pivot('ticket', {
        ...ticket,
        input: (at) => {
          expectTypeOf(at.hold).toEqualTypeOf<Answer>();
          expectTypeOf(at.flight).toEqualTypeOf<Answer>();
          expectTypeOf(at.hotel).toEqualTypeOf<Answer>();
          expectTypeOf(at.lounge).toEqualTypeOf<Answer | null>();
          return { order: at.flight.id };
        },
      });
  });

  test('may be what a saga begins and ends with', () => {
    const both = s.parallel((group) => group.step('a', { ...seat, undo }).step('b', room));
    expectTypeOf(both).toExtend<Saga<TripInput>>();
  });

  test('are refused: a result of a sibling, a name that is taken, a step that cannot go back', () => {
    s.parallel((group) =>
      group
        .step('flight', { ...seat, undo })
        // @ts-expect-error a sibling's result is not there yet
        .step('hotel', { ...room, input: ({ flight }) => ({ offer: flight.id, nights: 1 }) }),
    );
    s.parallel((group) =>
      group
        .step('flight', { ...seat, undo })
        // @ts-expect-error taken by a sibling
        .step('flight', room),
    );
    s.step('hotel', room).parallel((group) =>
      group
        .step('flight', { ...seat, undo })
        // @ts-expect-error taken by an earlier step
        .step('hotel', room),
    );
    s.parallel((group) =>
      group
        .step('hotel', room)
        // @ts-expect-error neither undo nor a reason why not
        .step('flight', seat),
    );
  });

  test('are refused: one step alone, no step, a pivot among them, and any after the pivot', () => {
    // @ts-expect-error one step alone is no group
    s.parallel((group) => group.step('flight', { ...seat, undo }));
    // @ts-expect-error no step
    s.parallel((group) => group);
    // @ts-expect-error the pivot stands alone
    s.parallel((group) => group.step('a', { ...seat, undo }).pivot('b', seat));
    // @ts-expect-error after the pivot one step follows the other
    trip().parallel((group) => group);
  });
});

describe('what is refused: acts', () => {
  test('an act that does not exist, an undo as an act, a find as an act', () => {
    // @ts-expect-error no such act
    s.step('wrong', { ...seat, run: 'holdSeats', undo });
    // @ts-expect-error an undo is not an act
    s.step('wrong', { ...seat, run: 'releaseSeat', undo });
    // @ts-expect-error a find is not an act
    s.step('wrong', { ...seat, run: 'findSeat', undo });
  });

  test('an undo or a find of another act, although the shapes agree', () => {
    // @ts-expect-error undoes another act
    s.step('wrong', { ...seat, undo: { run: 'refundCard', whenUnknown: 'retry-with-key' } });
    // @ts-expect-error finds another act
    s.step('wrong', { ...seat, find: 'findCharge', undo });
    const asking = { run: 'releaseSeat', whenUnknown: 'ask-provider' } as const;
    // @ts-expect-error finds the act, not the undo
    s.step('wrong', { ...seat, undo: { ...asking, find: 'findSeat' } });
    // @ts-expect-error no such find
    s.step('wrong', { ...seat, find: 'findSeats', undo });
    // @ts-expect-error no such undo
    s.step('wrong', { ...seat, undo: { ...seatUndo, run: 'releaseSeats' } });
  });

  test('another provider than the act has', () => {
    // @ts-expect-error holdSeat is at flights
    s.step('wrong', { ...seat, at: 'hotels', undo });
  });
});

describe('what is refused: the unknown outcome', () => {
  test('no answer, forward and undo', () => {
    // @ts-expect-error no whenUnknown
    s.step('wrong', { ...seatAt, undo });
    // @ts-expect-error no whenUnknown in the undo
    s.step('wrong', { ...seat, undo: { run: 'releaseSeat' } });
    // @ts-expect-error no whenUnknown at the pivot
    s.pivot('wrong', seatAt);
  });

  test('ask-provider without find, and find where nobody asks', () => {
    // @ts-expect-error nothing to ask with
    s.step('wrong', { ...seatAt, whenUnknown: 'ask-provider', undo });
    // @ts-expect-error a person is asked, not the provider
    s.step('wrong', { ...seat, whenUnknown: 'ask-person', undo });
  });

  test('repeat on a forward call, prefer where an undo exists, at the pivot and in an undo', () => {
    // @ts-expect-error only an undo is repeated
    s.step('wrong', { ...seatAt, whenUnknown: 'repeat', why: 'x', undo });
    // @ts-expect-error only an undo is repeated
    s.step('wrong', { ...seatAt, whenUnknown: 'repeat', why: 'x', nothingToUndo: 'x' });
    // @ts-expect-error the undo has to know
    s.step('wrong', { ...seatAt, whenUnknown: 'prefer-miss', why: 'x', undo });
    // @ts-expect-error the pivot has to be known
    s.pivot('wrong', { ...seatAt, whenUnknown: 'prefer-duplicate', why: 'x' });
    const missed = { run: 'releaseSeat', whenUnknown: 'prefer-miss', why: 'x' } as const;
    // @ts-expect-error an undo is owed
    s.step('wrong', { ...seat, undo: missed });
    // @ts-expect-error after the pivot nothing is repeated either
    trip().step('wrong', { ...seatAt, whenUnknown: 'repeat', why: 'x' });
  });

  test('a missing reason', () => {
    // @ts-expect-error why?
    trip().step('wrong', { ...receipt, whenUnknown: 'prefer-duplicate' });
    // @ts-expect-error why?
    s.step('wrong', { ...seat, undo: { run: 'releaseSeat', whenUnknown: 'repeat' } });
  });
});

describe('what is refused: the way back', () => {
  test('neither undo nor a reason before the pivot, and both', () => {
    // @ts-expect-error neither
    s.step('wrong', seat);
    // @ts-expect-error both
    s.step('wrong', { ...seat, undo, nothingToUndo: 'x' });
    // @ts-expect-error there is no undo to get stuck
    s.step('wrong', { ...seat, nothingToUndo: 'x', onStuckUndo: 'stop' });
  });

  test('undo at the pivot and after it, and a second pivot', () => {
    // @ts-expect-error at the pivot
    s.pivot('ticket', { ...seat, undo });
    // @ts-expect-error after it
    s.pivot('ticket', seat).step('room', { ...seat, undo });
    // @ts-expect-error nothing is undone there anyway
    s.pivot('ticket', seat).step('room', { ...seat, nothingToUndo: 'x' });
    // @ts-expect-error a second pivot
    s.pivot('ticket', seat).pivot('again', seat);
  });
});

describe('what is refused: names and what came before', () => {
  test('names that would break a key or hide another', () => {
    // @ts-expect-error a colon
    s.step('a:b', { ...seat, undo });
    // @ts-expect-error a capital
    s.step('Seat', { ...seat, undo });
    // @ts-expect-error nothing
    s.step('', { ...seat, undo });
    // @ts-expect-error a digit first
    s.step('9x', { ...seat, undo });
    // @ts-expect-error a letter that is not a-z
    s.step('sitzplätze', { ...seat, undo });
    // @ts-expect-error the saga's own input
    s.step('input', { ...seat, undo });
    // @ts-expect-error not written out
    s.step('seat' as string, { ...seat, undo });
    // @ts-expect-error taken
    s.step('seat', { ...seat, undo }).step('seat', { ...seat, undo });
    // @ts-expect-error taken by the pivot
    s.pivot('seat', seat).step('seat', seat);
  });

  test("a later step's result, its own, and an input of another shape", () => {
    const reasoned = { ...ticket, nothingToUndo: 'x' } as const;
    // @ts-expect-error no flight yet
    s.step('wrong', { ...reasoned, input: ({ flight }) => ({ order: flight.id }) });
    // @ts-expect-error its own result
    s.step('own', { ...seat, input: ({ own }) => ({ offer: own.id }), undo });
    // @ts-expect-error the act wants an offer
    s.step('wrong', { ...seat, input: ({ input }) => ({ order: input.flight }), undo });
    // @ts-expect-error no such field of the saga's input
    s.step('wrong', { ...seat, input: ({ input }) => ({ offer: input.seat }), undo });
  });
});

describe('what is refused: options that do not exist', () => {
  test('misspelt, as far as they are written out in place', () => {
    // @ts-expect-error retires
    s.step('wrong', { ...seat, undo, retires: { attempts: 3 } });
    // @ts-expect-error attempt
    s.step('wrong', { ...seat, undo, retry: { attempt: 3 } });
    // @ts-expect-error timeOutMs
    s.step('wrong', { ...seat, undo: { ...seatUndo, timeOutMs: 3 } });
    // @ts-expect-error retires
    s.pivot('wrong', { ...seat, retires: {} });
    // @ts-expect-error retires
    trip().step('wrong', { ...seat, retires: {} });
    // @ts-expect-error deadline
    defineSaga<TripInput, Acts>('bad', { version: 1, deadline: 5 });
    // @ts-expect-error no version
    defineSaga<TripInput, Acts>('bad', {});
  });
});
