import { randomBytes, randomUUID } from 'node:crypto';
import { trip } from '../../support/trip.js';
import {
  book,
  cancel,
  CLOSE,
  inTurn,
  JSON_LINE,
  raw,
  rawBook,
  read,
  replaced,
  type BadInput,
  type NotSent,
  type Sending,
  type Try,
} from './send.js';

/** Books with these lines for the key, byte for byte. */
const keyed = (...lines: readonly string[]): Sending =>
  raw(rawBook([JSON_LINE, CLOSE, ...lines.map((line) => `Idempotency-Key:${line}`)]));
const withKey = (key: string, sent: unknown = trip()): Sending => book({ body: sent }, key);
const good255 = 'k'.repeat(255);
const used = (key: string, ...more: readonly Sending[]): Sending => inTurn(withKey(key), ...more);
const replayed = (key: string, sent: unknown): Try => [used(key, withKey(key, sent)), 'replay'];
const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const { payment, ...others } = trip();
/** A key that nothing else has used, known before it is sent. */
const own = (what: string) => `${what} ${randomUUID()}`;
const [quoted, route, method, first] = [own('quoted'), own('route'), own('method'), own('Case')];
const shared = own('shared');

/** The Idempotency-Key header. */
export const KEYS: readonly (BadInput | NotSent)[] = [
  { no: 1, what: 'missing', tries: [[book({}, null), 'key-missing']] },
  { no: 2, what: 'empty', tries: [[keyed(''), 'key-malformed']] },
  { no: 3, what: 'only spaces', tries: [[keyed('    '), 'key-malformed']] },
  { no: 4, what: '256 characters', tries: [[withKey(`${good255}k`), 'key-malformed']] },
  { no: 5, what: '255 characters', tries: [[withKey(good255), 202]] },
  { no: 6, what: '10 kB', tries: [[withKey('k'.repeat(10_000)), 'key-malformed']] },
  { no: 7, what: 'sent twice, the same', tries: [[keyed(' a', ' a'), 'key-malformed']] },
  { no: 8, what: 'sent twice, different', tries: [[keyed(' a', ' b'), 'key-malformed']] },
  { no: 9, what: 'a list', tries: [[keyed(' a, b'), 'key-malformed']] },
  {
    no: 10,
    what: 'quoted, then the same one bare',
    tries: [[inTurn(withKey(`"${quoted}"`), withKey(quoted)), 'replay']],
  },
  {
    no: 11,
    what: 'spaces before and after it',
    note: 'They are of the header line; within quotes they are of the key.',
    tries: [
      [inTurn(keyed('   spaced   '), withKey('spaced')), 'replay'],
      [withKey('" spaced "'), 202],
    ],
  },
  {
    no: 12,
    what: 'a tab, a line break, a folded line',
    tries: [
      [keyed(' a\tb'), 'key-malformed'],
      [keyed(' a\r b'), 'request-malformed'],
      [keyed(' a\r\n b'), 'request-malformed'],
    ],
  },
  { no: 13, what: 'a NUL', tries: [[keyed(' a\0b'), 'request-malformed']] },
  {
    no: 14,
    what: 'é, in Latin-1 and in UTF-8',
    tries: [
      [keyed(' \xe9'), 'key-malformed'],
      [keyed(` ${latin1('é')}`), 'key-malformed'],
    ],
  },
  {
    no: 15,
    what: 'é composed and decomposed',
    tries: [
      [keyed(` ${latin1('é'.normalize('NFC'))}`), 'key-malformed'],
      [keyed(` ${latin1('é'.normalize('NFD'))}`), 'key-malformed'],
    ],
  },
  { no: 16, what: 'an emoji', tries: [[keyed(` ${latin1('😊')}`), 'key-malformed']] },
  {
    no: 17,
    what: "`'; DROP TABLE runs`",
    note: 'Bare it has a semicolon; quoted it is a key like others.',
    tries: [
      [withKey("'; DROP TABLE runs"), 'key-malformed'],
      [withKey(`"'; DROP TABLE runs"`), 202],
    ],
  },
  {
    no: 18,
    what: '`%` and `_`',
    tries: [
      [withKey('%'), 202],
      [withKey('_'), 202],
    ],
  },
  { no: 19, what: '`../../`', tries: [[withKey('../../'), 202]] },
  { no: 20, what: '`__proto__`', tries: [[withKey('__proto__'), 202]] },
  {
    no: 21,
    what: '`null`, `undefined`, `0`',
    tries: [
      [withKey('null'), 202],
      [withKey('undefined'), 202],
      [withKey('0'), 202],
    ],
  },
  {
    no: 22,
    what: 'two that differ in case',
    note: 'Two keys, two bookings.',
    tries: [[inTurn(withKey(first), withKey(first.toLowerCase())), 202]],
  },
  {
    no: 23,
    what: 'one that another account has used',
    note: 'A booking of its own: nobody learns of the other one.',
    tries: [
      [
        inTurn(
          (world) => book({ as: world.api.keys.stranger }, shared)(world),
          withKey(shared, trip({ metadata: {} })),
        ),
        202,
      ],
    ],
  },
  {
    no: 24,
    what: 'one that was used at another route',
    tries: [[used(route, cancel('BOOKING', { key: route })), 'key-reused']],
  },
  {
    no: 25,
    what: 'one that was used, with another method',
    note: 'A GET does not look at it.',
    tries: [
      [used(method, read('/v1/bookings/BOOKING', { headers: { 'idempotency-key': method } })), 200],
    ],
  },
  {
    no: 26,
    what: 'used, members in another order',
    tries: [replayed('members', JSON.stringify({ payment, ...others }))],
  },
  {
    no: 27,
    what: 'used, other white space',
    tries: [replayed('blanks', ` ${JSON.stringify(trip(), null, 4)}\n`)],
  },
  {
    no: 28,
    what: 'used, `2` written as `2.0` and `2e0`',
    tries: [
      replayed('number 1', replaced('"nights":2', '"nights":2.0')),
      replayed('number 2', replaced('"nights":2', '"nights":2e0')),
    ],
  },
  {
    no: 29,
    what: 'used, one more member that is unknown',
    tries: [
      [used('more', withKey('more', trip({ priority: 1 }))), 'body-invalid'],
      [used('other', withKey('other', trip({ metadata: { a: '1' } }))), 'key-reused'],
    ],
  },
  {
    no: 30,
    what: 'the same after seven days',
    why: 'It is free then, to the millisecond of Idempotency-Expires: tested where the clock can be moved.',
  },
  { no: 31, what: 'with a colon', tries: [[withKey('bk_a:charge:undo'), 202]] },
  {
    no: 32,
    what: '6,000 random bytes in hex, more than an index row holds',
    tries: [[withKey(randomBytes(6_000).toString('hex')), 'key-malformed']],
  },
];
