import {
  book,
  cancel,
  CLOSE,
  JSON_LINE,
  raw,
  rawBook,
  read,
  until,
  type BadInput,
  type NotSent,
  type Sending,
  type Try,
} from './send.js';

const BEARER = 'Authorization: Bearer CUSTOMER';
/** Reads the list by bytes: the first line and the header lines. */
const bytes = (line: string, ...more: readonly string[]): Sending =>
  raw(`${[line, ...more].join('\r\n')}\r\n\r\n`);
const list = (...more: readonly string[]): Sending =>
  bytes('GET /v1/bookings HTTP/1.1', 'Host: x', CLOSE, ...more);
const fields = (more: Readonly<Record<string, string>>): Try => [
  read('/v1/bookings', { headers: more }),
  200,
];
const as = (...more: readonly string[]): Try => [list(...more), 'unauthenticated'];
const SLOW = 'tested with its clocks in test/engine/slow-clients.pg.test.ts.';

/** The header fields, and HTTP itself. */
export const PROTOCOL: readonly (BadInput | NotSent)[] = [
  {
    no: 126,
    what: 'header fields of more than 16 KiB',
    tries: [[list(BEARER, `X-A: ${'a'.repeat(17_000)}`), 'headers-too-large']],
  },
  {
    no: 127,
    what: '2,500 header fields',
    note: 'None is left out: a second key behind all of them is seen.',
    tries: [
      [list(BEARER, ...many()), 200],
      [
        raw(rawBook([JSON_LINE, CLOSE, 'Idempotency-Key: a', ...many(), 'Idempotency-Key: b'])),
        'key-malformed',
      ],
    ],
  },
  {
    no: 128,
    what: 'header fields that come slowly',
    tries: [[raw('GET /v1/bookings HTTP/1.1\r\nHost: x\r\nX-Slow: '), 'request-timeout']],
    note: 'After 10 s, however many bytes have come.',
  },
  {
    no: 129,
    what: 'a body that comes slowly',
    note: 'After 30 s.',
    tries: [
      [
        raw(rawBook([JSON_LINE, 'Idempotency-Key: a'], '{', 'Content-Length: 9')),
        'request-timeout',
      ],
    ],
  },
  {
    no: 130,
    what: '10,000 connections that say nothing',
    note: 'Each for 10 s, and more than 5,000 are closed as they come.',
    tries: [[raw(''), 'request-timeout']],
  },
  {
    no: 131,
    what: 'a client that does not take its answer',
    why: `Its connection is closed after a minute: ${SLOW}`,
  },
  {
    no: 132,
    what: '1,000 requests at once on one connection',
    why: `Each is answered, one after the other: ${SLOW}`,
  },
  {
    no: 133,
    what: 'the Host of somebody else',
    note: 'What is answered is built on PUBLIC_URL.',
    tries: [[bytes('GET /v1/bookings HTTP/1.1', 'Host: evil.example', CLOSE, BEARER), 200]],
  },
  {
    no: 134,
    what: 'X-Forwarded-For',
    note: 'Nobody reads it: limits are by account.',
    tries: [fields({ 'x-forwarded-for': '127.0.0.1' })],
  },
  {
    no: 135,
    what: 'traceparent that is none, baggage of 10 kB',
    tries: [fields({ traceparent: 'x'.repeat(200), baggage: 'b='.padEnd(10_000, 'x') })],
  },
  {
    no: 136,
    what: 'Authorization twice, empty, Basic, in lower case, of 10 kB',
    tries: [
      [list(BEARER, BEARER), 'request-malformed'],
      as(),
      as('Authorization:'),
      as('Authorization: Basic CUSTOMER'),
      as('Authorization: Bearer'),
      as('Authorization: CUSTOMER'),
      as(`Authorization: Bearer ${'a'.repeat(10_000)}`),
      [list('authorization: bearer CUSTOMER'), 200],
    ],
  },
  {
    no: 137,
    what: 'a deadline of 0, -1, 1e18, NaN',
    note: 'In `Recourse-Deadline`.',
    tries: ['0', '-1', '1e18', 'NaN'].map((text): Try => [until(text), 'deadline-malformed']),
  },
  {
    no: 138,
    what: 'Accept: application/xml',
    tries: [
      [read('/v1/bookings', { headers: { accept: 'application/xml' } }), 'not-acceptable'],
      [book({ headers: { accept: 'application/xml' } }), 'not-acceptable'],
    ],
  },
  {
    no: 139,
    what: 'an If-Match of before',
    tries: [
      [cancel('BOOKING', { headers: { 'if-match': '"99"' } }), 'changed-since-you-looked'],
      [cancel('BOOKING', { headers: { 'if-match': 'W/"1"' } }), 'changed-since-you-looked'],
    ],
  },
  {
    no: 140,
    what: 'HTTP/1.0, HTTP/2 without asking, an absolute target',
    tries: [
      [bytes('GET /v1/bookings HTTP/1.0', BEARER), 200],
      [raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'request-malformed'],
      [bytes('GET http://absolute/v1/bookings HTTP/1.1', 'Host: x', CLOSE, BEARER), 200],
    ],
  },
];

function many(): readonly string[] {
  return Array.from({ length: 2_500 }, () => 'a:');
}
