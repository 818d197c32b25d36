import { trip } from '../../support/trip.js';
import { body, changed, replaced, type BadInput, type NotSent, type Try } from './send.js';

const MEGABYTE = 1_048_576;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const members = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"m${at}":1`).join(',')}}`;
const invalid = (text: string): Try => [body(text), 'body-invalid'];
const amount = (written: string): Try => invalid(replaced('240000', written));
const named = (written: string): Try => invalid(replaced('Ada Byron', written));
const extra = (name: string, value: unknown): Try => [changed({ [name]: value }), 'body-invalid'];
const kept = (name: string): Try => [changed({ metadata: { [name]: 'x' } }), 202];

/** What is in the JSON, whatever it means. */
export const STRUCTURE: readonly (BadInput | NotSent)[] = [
  { no: 61, what: 'nested 5,000 deep in 10 kB', tries: [[body(nested(5_000)), 'too-deep']] },
  {
    no: 62,
    what: 'nested 60,000 and 100,000 deep',
    tries: [
      [body(nested(60_000)), 'too-deep'],
      [body(nested(100_000)), 'body-too-large'],
    ],
  },
  {
    no: 63,
    what: '10,000 and 100,000 members',
    tries: [
      [body(members(10_000)), 'body-invalid'],
      [body(members(100_000)), 'body-too-large'],
    ],
  },
  {
    no: 64,
    what: 'a name of 100 kB and of 1 MB',
    tries: [
      [body({ ['n'.repeat(100_000)]: 1 }), 'body-invalid'],
      [body({ ['n'.repeat(MEGABYTE)]: 1 }), 'body-too-large'],
    ],
  },
  {
    no: 65,
    what: 'a member twice',
    tries: [
      invalid(replaced('"amount":240000', '"amount":1,"amount":240000')),
      invalid(replaced('"amount":240000', '"amount":240000,"\\u0061mount":240000')),
    ],
  },
  {
    no: 66,
    what: '`__proto__`',
    tries: [
      invalid(replaced('"name"', '"__proto__":{"admin":true},"name"')),
      invalid(replaced('{"traveller"', '{"metadata":{"__proto__":"x"},"traveller"')),
    ],
  },
  {
    no: 67,
    what: '`constructor`, `prototype`',
    note: 'In `metadata` they are names like others.',
    tries: [
      extra('constructor', { prototype: { admin: true } }),
      extra('prototype', {}),
      kept('constructor'),
    ],
  },
  {
    no: 68,
    what: '`toString`, `hasOwnProperty`',
    note: 'In `metadata` they are names like others.',
    tries: [
      extra('toString', 'x'),
      extra('hasOwnProperty', true),
      kept('toString'),
      kept('hasOwnProperty'),
    ],
  },
  { no: 69, what: 'a list in place of an object', tries: [extra('traveller', ['Ada'])] },
  { no: 70, what: 'a number as text', tries: [amount('"240000"')] },
  { no: 71, what: 'true as a number', tries: [amount('true')] },
  { no: 72, what: 'null for what must be there', tries: [amount('null'), extra('flight', null)] },
  {
    no: 73,
    what: 'half a surrogate pair',
    tries: [named('\\ud800'), invalid(replaced('"name"', '"\\udc00":1,"name"'))],
  },
  { no: 74, what: 'NUL in a text', tries: [named('Ada\\u0000')] },
  {
    no: 75,
    what: 'characters that turn a line around or have no width, in a name',
    note: 'A name is kept as it was given; the command line prints such characters as codes.',
    tries: [[changed({ traveller: { name: 'Ada \u202e\u200b', email: 'ada@example.com' } }), 202]],
  },
  { no: 76, what: '`1e400`', tries: [amount('1e400')] },
  {
    no: 77,
    what: '9007199254740993',
    tries: [amount('9007199254740993'), amount('9007199254740992')],
  },
  { no: 78, what: '`-0`', tries: [amount('-0')] },
  {
    no: 79,
    what: 'decimals such as 0.1 + 0.2 makes',
    tries: [amount('0.30000000000000004'), amount('0.1')],
  },
  {
    no: 80,
    what: 'members that nobody may set',
    tries: [
      ...['status', 'account_id', 'saga_id', 'refunded', 'price_override', 'is_admin', 'id'].map(
        (name) => extra(name, 1),
      ),
      [body({ ...trip(), payment: { ...payment(), captured: true } }), 'body-invalid'],
    ],
  },
];

function payment(): object {
  return { amount: 240_000, currency: 'INR', source: 'tok_visa' };
}
