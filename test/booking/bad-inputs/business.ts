import {
  body,
  cancel,
  changed,
  inTurn,
  look,
  replaced,
  until,
  type BadInput,
  type NotSent,
  type Try,
} from './send.js';

const NO_DATES = 'A trip is booked by its offers: no date is sent.';
const NO_REFUNDS = 'Nobody asks for a refund: what was charged is given back whole, by the undo.';

const amount = (written: string): Try => [body(replaced('240000', written)), 'body-invalid'];
const currency = (code: string): Try => [body(replaced('INR', code)), 'body-invalid'];
const nights = (count: number): Try => [
  changed({ hotel: { offer: 'H-204', nights: count } }),
  'body-invalid',
];
const traveller = (changes: object) =>
  changed({ traveller: { name: 'Ada Byron', email: 'ada@example.com', ...changes } });
const since = (instant: string, expected: Try[1]): Try => [
  look(`/v1/runs?silent_since=${encodeURIComponent(instant)}`),
  expected,
];

/** What the values mean. */
export const BUSINESS: readonly (BadInput | NotSent)[] = [
  { no: 81, what: 'an amount of 0', tries: [amount('0')] },
  { no: 82, what: 'a negative amount', tries: [amount('-1')] },
  {
    no: 83,
    what: 'an amount one above the largest',
    tries: [amount('9007199254740992'), [body(replaced('240000', '9007199254740991')), 202]],
  },
  { no: 84, what: 'the largest 64-bit amount', tries: [amount('9223372036854775807')] },
  {
    no: 85,
    what: 'an amount of `1e3`',
    note: 'It is 1000 to every reader.',
    tries: [[body(replaced('240000', '1e3')), 202]],
  },
  { no: 86, what: 'a part of a minor unit', tries: [amount('2400.5')] },
  { no: 87, what: 'the currency XXX', tries: [currency('XXX'), currency('AAA')] },
  { no: 88, what: 'a currency in lower case', tries: [currency('usd')] },
  {
    no: 89,
    what: 'yen with decimals',
    tries: [[body(replaced('240000,"currency":"INR"', '100.50,"currency":"JPY"')), 'body-invalid']],
  },
  {
    no: 90,
    what: 'another currency than the account’s',
    why: 'An account has none: the payment provider says which it takes.',
  },
  { no: 91, what: 'a date that is past', why: NO_DATES },
  { no: 92, what: 'leaving before arriving', why: `${NO_DATES} A stay has its number of nights.` },
  {
    no: 93,
    what: '29 February in a year that has none',
    tries: [since('2026-02-29T00:00:00Z', 'query-invalid')],
  },
  {
    no: 94,
    what: 'the years 9999 and 0000',
    tries: [since('9999-12-31T23:59:59Z', 200), since('0000-01-01T00:00:00Z', 200)],
  },
  {
    no: 95,
    what: 'an instant without its offset',
    tries: [since('2026-11-30T10:00:00', 'query-invalid')],
  },
  {
    no: 96,
    what: 'a time that summer time leaves out',
    why: 'Every instant has its offset, and then there is none that is left out.',
  },
  { no: 97, what: 'none of what is booked', tries: [nights(0)] },
  { no: 98, what: '10,000 of it', tries: [nights(10_000)] },
  {
    no: 99,
    what: 'an e-mail address with a line break',
    tries: [[traveller({ email: 'ada@example.com\r\nBcc: x@example.com' }), 'body-invalid']],
  },
  {
    no: 100,
    what: 'a name of 10 kB',
    tries: [[traveller({ name: 'a'.repeat(10_000) }), 'body-invalid']],
  },
  {
    no: 101,
    what: 'HTML and a script in a name',
    note: 'It is text, and answered as JSON.',
    tries: [[traveller({ name: '<script>alert(1)</script>' }), 202]],
  },
  {
    no: 102,
    what: 'a formula in a name',
    note: 'It is text; nothing is exported to a spreadsheet.',
    tries: [[traveller({ name: '=HYPERLINK("https://evil.example")' }), 202]],
  },
  {
    no: 103,
    what: 'a list of steps of one’s own',
    tries: [[changed({ steps: [{ name: 'charge', after: 'charge' }] }), 'body-invalid']],
  },
  { no: 104, what: 'a refund of more than was charged', why: NO_REFUNDS },
  {
    no: 105,
    what: 'a refund of another account’s payment',
    tries: [[cancel('FOREIGN'), 'not-found']],
  },
  {
    no: 106,
    what: 'undoing twice, with two keys',
    note: 'The second changes nothing: what is undone is undone under one key of its own.',
    tries: [[inTurn(cancel('BOOKING'), cancel('BOOKING')), 202]],
  },
  { no: 107, what: 'a cancel of what has ended', tries: [[cancel('ENDED'), 'already-ended']] },
  {
    no: 108,
    what: 'a deadline that has passed',
    note: 'In `Recourse-Deadline`: before any work.',
    tries: [[until('2020-01-01T00:00:00.000Z'), 'overloaded']],
  },
  {
    no: 109,
    what: 'a deadline in ten years',
    note: '`Recourse-Deadline` only says until when the caller waits.',
    tries: [[until('2040-01-01T00:00:00.000Z'), 202]],
  },
  {
    no: 110,
    what: 'a callback_url',
    tries: [[changed({ callback_url: 'http://169.254.169.254/' }), 'body-invalid']],
  },
];
