import { describe, expect, test } from 'vitest';
import { checkSaga } from '../../src/engine/saga/check-definition.js';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import { RecourseError, SagaDefinitionError } from '../../src/engine/saga/errors.js';
import {
  CALL_TIMEOUT_MS,
  FORWARD_RETRY,
  SLOW_UNDO_MS,
  STUCK_AFTER_MS,
  UNDO_RETRY,
} from '../../src/engine/saga/retry-policy.js';

/** The chain as somebody without types sees it. */
interface Untyped extends SagaDefinition {
  step(name: unknown, spec: unknown): Untyped;
  pivot(name: unknown, spec: unknown): Untyped;
}
const define = defineSaga as unknown as (name: unknown, options: unknown) => Untyped;

const begin = () => define('book-trip', { version: 1 });
const input = () => ({});
const charge = {
  run: 'chargeCard',
  at: 'payments',
  whenUnknown: 'retry-with-key',
  find: 'findCharge',
  input,
  undo: { run: 'refundCard', whenUnknown: 'retry-with-key', find: 'findRefund' },
};
const ticket = {
  run: 'issueTicket',
  at: 'flights',
  whenUnknown: 'ask-provider',
  find: 'findTicket',
  input,
};
const receipt = {
  run: 'sendReceipt',
  at: 'messages',
  whenUnknown: 'prefer-duplicate',
  why: 'two are better than none',
  input,
};
const { undo: _undo, ...bare } = charge;
const { find: _find, ...unasked } = ticket;
const { why: _why, ...unreasoned } = receipt;

const withCharge = (change: object) => () => begin().step('charge', { ...charge, ...change });
const withUndo = (change: object) => withCharge({ undo: { ...charge.undo, ...change } });
const withRetry = (retry: unknown) => withCharge({ retry });
const pivoted = () => begin().step('charge', charge).pivot('ticket', ticket);
const after = (spec: object) => () => pivoted().step('last', spec);

describe('a definition that is refused', () => {
  const name = 'a name starts with a letter and has only a-z, 0-9 and -, at most 40 characters';
  const ms = 'must be a whole number of milliseconds from 1 to 2147483647';
  test.each<[string, () => unknown]>([
    // the saga
    [`saga "BookTrip": ${name}; not "BookTrip"`, () => define('BookTrip', { version: 1 })],
    [`saga "": ${name}; not ""`, () => define('', { version: 1 })],
    [`saga "9x": ${name}; not "9x"`, () => define('9x', { version: 1 })],
    [`saga "${'a'.repeat(41)}": ${name}`, () => define('a'.repeat(41), { version: 1 })],
    [`saga undefined: ${name}; not undefined`, () => define(undefined, { version: 1 })],
    [
      'book-trip: must be an object of options, not undefined',
      () => define('book-trip', undefined),
    ],
    ['saga "default": Temporal takes a workflow of this name', () => define('default', {})],
    ['book-trip: "version" is missing: the first is 1', () => define('book-trip', {})],
    [
      'book-trip: version must be a whole number from 1 to',
      () => define('book-trip', { version: 0 }),
    ],
    ['version must be a whole number', () => define('book-trip', { version: 1.5 })],
    ['version must be a whole number', () => define('book-trip', { version: 2 ** 53 })],
    ['version must be a whole number', () => define('book-trip', { version: '1' })],
    [
      'book-trip: unknown option "deadline", did you mean "deadlineMs"?',
      () => define('book-trip', { version: 1, deadline: 1 }),
    ],
    [`deadlineMs ${ms}, not -1`, () => define('book-trip', { version: 1, deadlineMs: -1 })],
    [`slowUndoMs ${ms}, not 0.5`, () => define('book-trip', { version: 1, slowUndoMs: 0.5 })],
    [`stuckAfterMs ${ms}, not NaN`, () => define('book-trip', { version: 1, stuckAfterMs: NaN })],
    // the names and places of steps
    [`book-trip › step "a:b": ${name}; not "a:b"`, () => begin().step('a:b', charge)],
    [`book-trip › step "": ${name}; not ""`, () => begin().step('', charge)],
    [
      'book-trip › input: "input" is what the saga was started',
      () => begin().step('input', charge),
    ],
    [
      'book-trip › charge: another step has this name',
      () => begin().step('charge', charge).step('charge', charge),
    ],
    ['book-trip › ticket: another step has this name', () => pivoted().step('ticket', receipt)],
    [
      'book-trip › again: a saga has one pivot, and it is "ticket" already',
      () => pivoted().pivot('again', ticket),
    ],
    ['book-trip › s200: a saga has at most 200 steps', () => chainOf(201)],
    // options of a step
    ['book-trip › charge: must be an object of options', () => begin().step('charge', null)],
    [
      'book-trip › charge: unknown option "retires", did you mean "retry"?',
      withCharge({ retires: 3 }),
    ],
    [
      'book-trip › charge: unknown option "attempts"; known here: run, whenUnknown, find, why',
      withCharge({ attempts: 3 }),
    ],
    [
      'book-trip › charge › undo: unknown option "tiemoutMs", did you mean "timeoutMs"?',
      withUndo({ tiemoutMs: 3 }),
    ],
    ['unknown option "wyh", did you mean "why"?', withCharge({ wyh: 'a reason' })],
    ['book-trip › charge › undo: unknown option "at"', withUndo({ at: 'payments' })],
    [
      'book-trip › charge › retry: unknown option "attempt", did you mean "attempts"?',
      withRetry({ attempt: 3 }),
    ],
    ['book-trip › charge › undo: must be an object of options', withCharge({ undo: 'refundCard' })],
    ['book-trip › charge › retry: must be an object of options, not 3', withRetry(3)],
    [
      'book-trip › charge: "run" is missing: the name of the act that is called',
      withCharge({ run: undefined }),
    ],
    ['book-trip › charge: run must be a text that says something, not ""', withCharge({ run: '' })],
    [
      'book-trip › charge: "at" is missing: the name of the provider',
      withCharge({ at: undefined }),
    ],
    [`book-trip › charge › at: ${name}; not "Pay"`, withCharge({ at: 'Pay' })],
    ['input must be a function of what came before, not an object', withCharge({ input: {} })],
    ['input must not be async', withCharge({ input: async () => ({}) })],
    // the unknown outcome
    [
      'book-trip › charge: "whenUnknown" is missing: what if nobody knows whether it took ' +
        'effect? say retry-with-key, ask-provider, ask-person',
      withCharge({ whenUnknown: undefined }),
    ],
    ['book-trip › charge › undo: "whenUnknown" is missing', withUndo({ whenUnknown: undefined })],
    [
      'unknown whenUnknown "ask-providr", did you mean "ask-provider"?',
      withCharge({ whenUnknown: 'ask-providr' }),
    ],
    ['whenUnknown must be a text that says something, not 3', withCharge({ whenUnknown: 3 })],
    [
      'book-trip › ticket: whenUnknown "ask-provider" needs "find"',
      () => begin().pivot('ticket', unasked),
    ],
    [
      'book-trip › charge › undo: whenUnknown "ask-provider" needs "find"',
      withUndo({ whenUnknown: 'ask-provider', find: undefined }),
    ],
    [
      '"find" is never asked with whenUnknown "ask-person"',
      withCharge({ whenUnknown: 'ask-person' }),
    ],
    [
      'book-trip › charge: whenUnknown "repeat" has no place here, because its undo has to know',
      withCharge({ whenUnknown: 'repeat' }),
    ],
    [
      'book-trip › last: whenUnknown "repeat" has no place here, because only an undo',
      after({ ...receipt, whenUnknown: 'repeat' }),
    ],
    [
      '› charge: whenUnknown "prefer-miss" has no place here, because its undo has to know',
      withCharge({ whenUnknown: 'prefer-miss', find: undefined, why: 'x' }),
    ],
    [
      'book-trip › ticket: whenUnknown "prefer-duplicate" has no place here, because of the pivot',
      () => begin().pivot('ticket', receipt),
    ],
    [
      '› charge › undo: whenUnknown "prefer-miss" has no place here, because an undo is owed',
      withUndo({ whenUnknown: 'prefer-miss' }),
    ],
    ['book-trip › last: whenUnknown "prefer-duplicate" needs "why"', after(unreasoned)],
    ['why must be a text that says something, not "  "', after({ ...receipt, why: '  ' })],
    [
      'book-trip › charge › undo: whenUnknown "repeat" needs "why"',
      withUndo({ whenUnknown: 'repeat', find: undefined }),
    ],
    // the way back
    [
      'book-trip › charge: stands before the pivot: say "undo", or "nothingToUndo"',
      () => begin().step('charge', bare),
    ],
    [
      'book-trip › charge: says both "undo" and "nothingToUndo"',
      withCharge({ nothingToUndo: 'a reason' }),
    ],
    [
      'nothingToUndo must be a text that says something, not ""',
      () => begin().step('charge', { ...bare, nothingToUndo: '' }),
    ],
    [
      '"undo" has no place here: the step is the pivot and is never undone',
      () => begin().pivot('charge', charge),
    ],
    [
      'book-trip › last: "undo" has no place here: the step stands after the pivot',
      after({ ...receipt, undo: charge.undo }),
    ],
    ['"nothingToUndo" has no place here', after({ ...receipt, nothingToUndo: 'x' })],
    [
      '"onStuckUndo" is for a step that has an "undo"',
      () => begin().step('charge', { ...bare, nothingToUndo: 'x', onStuckUndo: 'stop' }),
    ],
    ['onStuckUndo must be "continue" or "stop", not "halt"', withCharge({ onStuckUndo: 'halt' })],
    // times
    [`book-trip › charge: timeoutMs ${ms}, not 0`, withCharge({ timeoutMs: 0 })],
    [`timeoutMs ${ms}, not 2147483648`, withCharge({ timeoutMs: 2 ** 31 })],
    [`book-trip › charge › undo: timeoutMs ${ms}, not "5s"`, withUndo({ timeoutMs: '5s' })],
    ['attempts must be a whole number from 1 to', withRetry({ attempts: 0 })],
    [`firstDelayMs ${ms}, not 0`, withRetry({ firstDelayMs: 0 })],
    [`capMs ${ms}, not Infinity`, withRetry({ capMs: Infinity })],
    [
      'book-trip › charge › retry: capMs 100 is below firstDelayMs 200 (the default)',
      withRetry({ capMs: 100 }),
    ],
    ['capMs 10000 (the default) is below firstDelayMs 20000', withRetry({ firstDelayMs: 20_000 })],
    ['capMs 5 is below firstDelayMs 6', withRetry({ firstDelayMs: 6, capMs: 5 })],
    [
      'book-trip › charge › undo › retry: capMs 300000 (the default) is below firstDelayMs 300001',
      withUndo({ retry: { firstDelayMs: 300_001 } }),
    ],
    [
      'withinMs 199 is below firstDelayMs 200 (the default): nothing would be tried again',
      withRetry({ withinMs: 199 }),
    ],
  ])('%s', (message, definition) => {
    expect(definition).toThrow(SagaDefinitionError);
    expect(definition).toThrow(message);
  });

  test('the error says where and what apart, and is of the engine', () => {
    const error = caught(withRetry({ capMs: 1 }));
    expect(error).toBeInstanceOf(RecourseError);
    expect(error).toMatchObject({
      name: 'SagaDefinitionError',
      path: ['book-trip', 'charge', 'retry'],
      problem: 'capMs 1 is below firstDelayMs 200 (the default)',
    });
  });

  test('a saga without a step is refused where it is used', () => {
    expect(() => checkSaga(begin())).toThrow(
      'book-trip: has no step; add one with .step, .parallel or .pivot',
    );
    expect(() => checkSaga(begin().pivot('ticket', ticket))).not.toThrow();
  });
});

describe('a definition', () => {
  test('is plain data with every default filled in', () => {
    const saga = pivoted().step('receipt', { ...receipt, timeoutMs: 500 });
    expect({ ...saga }).toEqual({
      name: 'book-trip',
      version: 1,
      rules: 1,
      deadlineMs: null,
      slowUndoMs: SLOW_UNDO_MS,
      stuckAfterMs: STUCK_AFTER_MS,
      steps: [
        {
          name: 'charge',
          place: 'before-pivot',
          at: 'payments',
          forward: call('chargeCard', 'retry-with-key', { find: 'findCharge' }),
          undo: call('refundCard', 'retry-with-key', { find: 'findRefund', retry: UNDO_RETRY }),
          nothingToUndo: null,
          onStuckUndo: 'continue',
          group: 0,
          input,
        },
        {
          name: 'ticket',
          place: 'pivot',
          at: 'flights',
          forward: call('issueTicket', 'ask-provider', { find: 'findTicket' }),
          undo: null,
          nothingToUndo: null,
          onStuckUndo: 'continue',
          group: 1,
          input,
        },
        {
          name: 'receipt',
          place: 'after-pivot',
          at: 'messages',
          forward: call('sendReceipt', 'prefer-duplicate', { why: receipt.why, timeoutMs: 500 }),
          undo: null,
          nothingToUndo: null,
          onStuckUndo: 'continue',
          group: 2,
          input,
        },
      ],
    });
  });

  test('keeps what its author said, and fills in only the rest', () => {
    const retry = { attempts: 2, withinMs: 5_000 };
    const saga = define('book-trip', { version: 7, deadlineMs: 900_000, slowUndoMs: 1_000 })
      .step('hold', { ...bare, nothingToUndo: 'it lapses', retry, why: 'they keep keys for a day' })
      .step('charge', { ...charge, onStuckUndo: 'stop', undo: { ...charge.undo, retry } });
    expect(saga).toMatchObject({ version: 7, deadlineMs: 900_000, slowUndoMs: 1_000 });
    expect(saga.steps[0]).toMatchObject({
      nothingToUndo: 'it lapses',
      undo: null,
      forward: { retry: { ...FORWARD_RETRY, ...retry }, why: 'they keep keys for a day' },
    });
    expect(saga.steps[1]).toMatchObject({
      onStuckUndo: 'stop',
      undo: { retry: { ...UNDO_RETRY, ...retry } },
    });
  });

  test('is frozen to the ground', () => {
    const saga = pivoted().step('receipt', receipt);
    expect(notFrozen(saga, 'saga')).toEqual([]);
    expect(() => Object.assign(saga, { version: 2 })).toThrow(TypeError);
  });

  test('does not change when the chain goes on, nor when an option is changed later', () => {
    const retry = { attempts: 2 };
    const first = begin().step('charge', { ...charge, retry });
    const second = first.step('again', charge);
    retry.attempts = 9;
    expect(first.steps.map((step) => step.name)).toEqual(['charge']);
    expect(second.steps.map((step) => step.name)).toEqual(['charge', 'again']);
    expect(first.steps[0]?.forward.retry.attempts).toBe(2);
  });

  test('may go to the edge of what is allowed', () => {
    const longest = 2 ** 31 - 1;
    const retry = { attempts: 1, firstDelayMs: 7, capMs: 7, withinMs: 7 };
    const edge = { ...charge, retry, timeoutMs: longest };
    const saga = define('b'.repeat(40), { version: 1, deadlineMs: longest }).step('c', edge);
    expect(saga.steps[0]?.forward).toMatchObject({ retry, timeoutMs: longest });
  });

  test('may have no pivot, may begin with it, and may have 200 steps', () => {
    expect(begin().step('charge', charge).steps[0]?.place).toBe('before-pivot');
    expect(begin().pivot('ticket', ticket).steps[0]?.place).toBe('pivot');
    expect(chainOf(200).steps).toHaveLength(200);
  });
});

function chainOf(length: number): Untyped {
  return Array.from({ length }).reduce<Untyped>(
    (chain, _, index) => chain.step(`s${index}`, charge),
    begin(),
  );
}

function call(run: string, whenUnknown: string, change: object): object {
  const retry = FORWARD_RETRY;
  return { run, whenUnknown, find: null, why: null, retry, timeoutMs: CALL_TIMEOUT_MS, ...change };
}

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

function notFrozen(value: unknown, where: string): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const inside = Object.entries(value).flatMap(([key, item]) => notFrozen(item, `${where}.${key}`));
  return Object.isFrozen(value) ? inside : [where, ...inside];
}
