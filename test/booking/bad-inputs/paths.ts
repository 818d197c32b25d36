import { ask } from '../../support/api.js';
import {
  inTurn,
  look,
  raw,
  read,
  type BadInput,
  type NotSent,
  type Sending,
  type Try,
} from './send.js';

const nowhere = (path: string): Try => [read(path), 'not-found'];
const rawGet = (target: string): Sending =>
  raw(
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer CUSTOMER\r\nConnection: close\r\n\r\n`,
  );
const wrong = (query: string): Try => [read(`/v1/bookings?${query}`), 'query-invalid'];

/** Uses the cursor of a list somewhere else, or changed. */
function cursorIn(use: (cursor: string) => Sending): Sending {
  return async (world) => {
    const page = await ask(world.api, '/v1/bookings?limit=1');
    return use(String(page.body.next_cursor))(world);
  };
}

const asStranger =
  (path: string): Sending =>
  (world) =>
    read(path, { as: world.api.keys.stranger })(world);
const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
const from = (origin: string) => ({
  method: 'OPTIONS',
  as: null,
  headers: { origin, 'access-control-request-method': 'POST' },
});

/** Where it is sent, and with which question. */
export const PATHS: readonly (BadInput | NotSent)[] = [
  {
    no: 111,
    what: 'an id that is none',
    tries: [
      nowhere('/v1/bookings/1'),
      nowhere('/v1/bookings/bk_1'),
      nowhere("/v1/bookings/bk_a'or'1'='1"),
      nowhere('/v1/bookings/0d7f2a34-5a0e-4a63-9c1e-6f9b1f6c2c55'),
    ],
  },
  {
    no: 112,
    what: '`../`, `%2e%2e%2f`, `%00`, escaped twice',
    tries: [
      [rawGet('/v1/bookings/../runs'), 'not-found'],
      [rawGet('/v1/bookings/%2e%2e%2fruns'), 'not-found'],
      [rawGet('/v1/bookings/%00'), 'not-found'],
      [rawGet('/v1/bookings/%252e%252e%252fruns'), 'not-found'],
      [rawGet('/v1/%'), 'request-malformed'],
    ],
  },
  {
    no: 113,
    what: 'an id in upper case',
    tries: [
      [
        (world) => read(`/v1/bookings/bk_${world.booking.slice(3).toUpperCase()}`)(world),
        'not-found',
      ],
    ],
  },
  {
    no: 114,
    what: 'a dot or a slash at the end',
    tries: [nowhere('/v1/bookings/BOOKING.'), nowhere('/v1/bookings/'), nowhere('//v1/bookings')],
  },
  {
    no: 115,
    what: 'an id of another account',
    note: 'The same as of an id that nobody has.',
    tries: [
      nowhere('/v1/bookings/FOREIGN'),
      nowhere('/v1/bookings/FOREIGN/events'),
      nowhere('/v1/bookings/bk_aaaaaaaaaaaaaaaaaaaaaaaaaa'),
    ],
  },
  {
    no: 116,
    what: '`limit` of -1, 0, 1e9, abc, twice',
    tries: ['limit=-1', 'limit=0', 'limit=1e9', 'limit=1000000000', 'limit=abc']
      .map(wrong)
      .concat([wrong('limit=1&limit=1'), wrong('limit=')]),
  },
  {
    no: 117,
    what: 'a cursor that was changed, is of another account or of another filter',
    tries: [
      [cursorIn((cursor) => read(`/v1/bookings?cursor=${flipped(cursor)}`)), 'query-invalid'],
      [cursorIn((cursor) => asStranger(`/v1/bookings?cursor=${cursor}`)), 'query-invalid'],
      [cursorIn((cursor) => read(`/v1/bookings?status=failed&cursor=${cursor}`)), 'query-invalid'],
      [cursorIn((cursor) => look(`/v1/runs?cursor=${cursor}`)), 'query-invalid'],
    ],
  },
  {
    no: 118,
    what: 'SQL in a query',
    tries: [
      wrong('sort=(select%20pg_sleep(5))'),
      wrong("status=a'%20or%20'1'='1"),
      [read("/v1/bookings?reference=a'%20or%20'1'='1"), 200],
    ],
  },
  {
    no: 119,
    what: 'names with brackets, 2,000 parameters',
    tries: [
      wrong('filter[__proto__][x]=1'),
      wrong('__proto__=1'),
      wrong(Array.from({ length: 2_000 }, (_, at) => `a${at}`).join('&')),
    ],
  },
  {
    no: 120,
    what: 'a query of 20 kB, and a part of the path of 200 characters',
    tries: [
      [rawGet(`/v1/bookings?reference=${'a'.repeat(20_000)}`), 'headers-too-large'],
      [read(`/v1/bookings/${'a'.repeat(200)}`), 'uri-too-long'],
      wrong(`reference=${'a'.repeat(10_000)}`),
    ],
  },
  {
    no: 121,
    what: 'a filter of Temporal in a query',
    note: 'Nothing that is sent gets into a query of Temporal’s.',
    tries: [
      [look(`/v1/runs?account=${encodeURIComponent('"x" or 1=1')}`), 200],
      [look(`/v1/runs?state=${encodeURIComponent('WorkflowId = "x" or 1=1')}`), 'query-invalid'],
    ],
  },
  {
    no: 122,
    what: 'a method that the path has not',
    note: '`Allow` names those that it has.',
    tries: ['DELETE', 'PUT', 'PATCH', 'OPTIONS'].map((method): Try => [
      read('/v1/bookings', { method }),
      'method-not-allowed',
    ]),
  },
  {
    no: 123,
    what: 'a preflight of an evil origin, and of `null`',
    note: 'No Access-Control header: the browser keeps the page out.',
    tries: [
      [read('/v1/bookings', from('https://evil.example')), 'method-not-allowed'],
      [read('/v1/bookings', from('null')), 'method-not-allowed'],
    ],
  },
  {
    no: 124,
    what: 'HEAD',
    tries: [
      [read('/v1/bookings', { method: 'HEAD' }), 200],
      [read('/v1/bookings/BOOKING', { method: 'HEAD' }), 200],
    ],
  },
  {
    no: 125,
    what: 'X-HTTP-Method-Override',
    note: 'Nobody reads it.',
    tries: [
      [
        inTurn(
          read('/v1/bookings/BOOKING', { headers: { 'x-http-method-override': 'DELETE' } }),
          read('/v1/bookings/BOOKING'),
        ),
        200,
      ],
    ],
  },
];
