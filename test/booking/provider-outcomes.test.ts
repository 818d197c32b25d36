import { again, done, refused, unknown, type Outcome } from 'recourse';
import type { Answer, AnswerTable } from 'recourse/activity';
import { describe, expect, test } from 'vitest';
import {
  CANCEL_ANSWERS,
  HOLD_ANSWERS,
  TICKET_ANSWERS,
} from '../../activities/booking/providers/flights.outcomes.js';
import {
  RELEASE_ANSWERS,
  RESERVE_ANSWERS,
} from '../../activities/booking/providers/hotels.outcomes.js';
import { MESSAGE_ANSWERS } from '../../activities/booking/providers/messages.outcomes.js';
import {
  CHARGE_ANSWERS,
  REFUND_ANSWERS,
} from '../../activities/booking/providers/payments.outcomes.js';
import { classify, COMMON_ANSWERS } from '../../src/engine/providers/classify-response.js';

type Row = readonly [status: number, code: string | null, Outcome<unknown>];

/** What every operation of every provider makes of an answer, unless a row of its own says else. */
const common: readonly Row[] = [
  [200, null, done({})],
  [201, null, done({})],
  [202, null, unknown('only-accepted')],
  [204, null, unknown('no-content')],
  [302, null, unknown('redirected')],
  [400, 'bad_request', refused('bad_request')],
  [401, 'no_such_key', refused('our-key-rejected')],
  [402, 'card_declined', refused('card_declined')],
  [403, 'wrong_scope', refused('our-key-forbidden')],
  [404, null, refused('http-404')],
  [404, 'unheard_of', refused('unheard_of')],
  [408, null, unknown('http-408')],
  [409, null, unknown('http-409')],
  [409, 'sold_out', refused('sold_out')],
  [410, null, unknown('http-410')],
  [410, 'deadline_passed', again('deadline-passed')],
  [422, 'recipient_refused', refused('recipient_refused')],
  [429, null, again('http-429')],
  [500, null, unknown('http-500')],
  [502, null, unknown('http-502')],
  [503, null, unknown('http-503')],
  [504, null, unknown('http-504')],
];

/** Each operation with the rows in which it differs from, or adds to, the common ones. */
const operations: readonly (readonly [name: string, AnswerTable, readonly Row[]])[] = [
  [
    'payments: charge',
    CHARGE_ANSWERS,
    [
      [409, 'in_progress', again('in-progress')],
      [422, 'key_reused', unknown('key_reused')],
    ],
  ],
  [
    'payments: refund',
    REFUND_ANSWERS,
    [
      [402, 'refund_declined', refused('refund_declined')],
      [404, 'no_such_charge', refused('no-such-thing')],
      [409, 'already_refunded', refused('already_refunded')],
      [409, 'in_progress', again('in-progress')],
      [422, 'key_reused', unknown('key_reused')],
    ],
  ],
  ['flights: hold', HOLD_ANSWERS, []],
  [
    'flights: cancel',
    CANCEL_ANSWERS,
    [
      [404, 'no_such_order', refused('no-such-thing')],
      [409, 'ticketed', refused('ticketed')],
    ],
  ],
  [
    'flights: ticket',
    TICKET_ANSWERS,
    [
      [404, 'no_such_order', refused('no_such_order')],
      [409, 'cancelled', refused('cancelled')],
    ],
  ],
  ['hotels: reserve', RESERVE_ANSWERS, []],
  [
    'hotels: release',
    RELEASE_ANSWERS,
    [
      [200, null, unknown('http-200')],
      [202, null, unknown('state-unknown')],
      [204, null, done(null)],
      [404, 'no_such_reservation', refused('no-such-thing')],
      [404, 'unheard_of', refused('no-such-thing')],
      [409, 'already_cancelled', done({ error: { code: 'already_cancelled' } })],
      [409, 'not_cancellable', refused('not_cancellable')],
    ],
  ],
  ['messages: send', MESSAGE_ANSWERS, [[202, null, done({})]]],
];

function answerOf([status, code]: Row): Answer {
  if (status === 204) return { kind: 'answered', status, body: { kind: 'empty' } };
  const value = code === null ? {} : { error: { code } };
  return { kind: 'answered', status, body: { kind: 'json', value } };
}

describe.each(operations)('%s', (_name, table, own) => {
  const isOverridden = ([status, code]: Row): boolean =>
    own.some(([ownStatus, ownCode]) => ownStatus === status && ownCode === code);
  const rows = [...own, ...common.filter((row) => !isOverridden(row))];

  test.each(rows.map((row) => [row[0], row[1], row] as const))(
    'an answer %i with the code %s',
    (_status, _code, row) => {
      expect(classify(answerOf(row), table)).toEqual(row[2]);
    },
  );

  test('no row of the table is left untried', () => {
    const untried = [...table, ...COMMON_ANSWERS].filter(
      ({ status, code }) => !rows.some((row) => row[0] === status && (code ?? row[1]) === row[1]),
    );
    expect(untried).toEqual([]);
  });
});
