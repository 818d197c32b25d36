import { gzipSync } from 'node:zlib';
import { BODY_LIMIT_BYTES } from '../../../src/engine/http/front-door.provider.js';
import {
  body,
  book,
  CLOSE,
  good,
  headers,
  JSON_LINE,
  raw,
  rawBook,
  type BadInput,
  type NotSent,
  type Sending,
} from './send.js';

const KEY_LINE = 'Idempotency-Key: framed';
/** Books by bytes: with a length, or a line in its place. */
const framed = (text: string, length: string | null = '', ...more: readonly string[]): Sending =>
  raw(rawBook([JSON_LINE, CLOSE, KEY_LINE, ...more], text, length));
const typed = (type: string): Sending => headers({ 'content-type': type });
const packed = (encoding: string, bytes: Uint8Array): Sending =>
  book({ body: bytes, headers: { 'content-encoding': encoding } });
const CHUNKED = 'Transfer-Encoding: chunked';
const MEGABYTE = 1_048_576;

/** How a body is framed, typed and packed. */
export const FRAMING: readonly (BadInput | NotSent)[] = [
  { no: 33, what: 'no body', tries: [[book({ body: undefined }), 'body-invalid']] },
  {
    no: 34,
    what: 'no Content-Type',
    tries: [[raw(rawBook([CLOSE, KEY_LINE])), 'media-type']],
  },
  { no: 35, what: 'JSON as text/plain', tries: [[typed('text/plain'), 'media-type']] },
  {
    no: 36,
    what: 'charset=utf-16',
    tries: [[typed('application/json; charset=utf-16'), 'media-type']],
  },
  {
    no: 37,
    what: 'charset=iso-8859-1',
    tries: [[typed('application/json; charset=iso-8859-1'), 'media-type']],
  },
  { no: 38, what: 'a form', tries: [[typed('application/x-www-form-urlencoded'), 'media-type']] },
  { no: 39, what: 'multipart', tries: [[typed('multipart/form-data; boundary=x'), 'media-type']] },
  {
    no: 40,
    what: 'a body packed by gzip',
    tries: [[packed('gzip', gzipSync(good())), 'media-type']],
  },
  {
    no: 41,
    what: 'a body that unpacks to a thousand times its size',
    note: 'It is not unpacked.',
    tries: [[packed('gzip', gzipSync(' '.repeat(100 * MEGABYTE))), 'media-type']],
  },
  {
    no: 42,
    what: 'Content-Encoding br, and one that is none',
    tries: [
      [packed('br', Buffer.from(good())), 'media-type'],
      [packed('zip-zap', Buffer.from(good())), 'media-type'],
    ],
  },
  {
    no: 43,
    what: 'Content-Length too small',
    note: 'What is behind it is no request, and ends the connection once the first is answered.',
    tries: [
      [framed(good(), 'Content-Length: 20'), 'body-malformed'],
      [framed(`${good()}, and more`, `Content-Length: ${good().length}`), 202],
    ],
  },
  {
    no: 44,
    what: 'Content-Length too large',
    tries: [[framed(good(), 'Content-Length: 2000'), 'request-timeout']],
  },
  {
    no: 45,
    what: 'Content-Length negative',
    tries: [[framed(good(), 'Content-Length: -1'), 'request-malformed']],
  },
  {
    no: 46,
    what: 'two Content-Length',
    tries: [
      [framed('{}', 'Content-Length: 2', 'Content-Length: 2'), 'request-malformed'],
      [framed('{}', 'Content-Length: 2', 'Content-Length: 1'), 'request-malformed'],
    ],
  },
  {
    no: 47,
    what: 'Content-Length and Transfer-Encoding',
    tries: [
      [framed('0\r\n\r\n', 'Content-Length: 5', CHUNKED), 'request-malformed'],
      [framed('0\r\n\r\n', CHUNKED, 'Content-Length: 5'), 'request-malformed'],
    ],
  },
  {
    no: 48,
    what: 'a Transfer-Encoding that is none',
    tries: [
      [framed('0\r\n\r\n', 'Transfer-Encoding: xchunked'), 'request-malformed'],
      [framed('0\r\n\r\n', 'Transfer-Encoding: chunked, identity'), 'request-malformed'],
    ],
  },
  {
    no: 49,
    what: 'a chunk larger than any number',
    tries: [
      [framed(`${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`, CHUNKED), 'request-malformed'],
      [framed('g\r\n{}\r\n0\r\n\r\n', CHUNKED), 'request-malformed'],
    ],
  },
  {
    no: 50,
    what: 'a body above the limit, by its length and by its chunks',
    note: 'The connection ends with it.',
    tries: [
      [body(good().padEnd(BODY_LIMIT_BYTES + 1)), 'body-too-large'],
      [framed(chunks(3, 60_000), CHUNKED), 'body-too-large'],
    ],
  },
  {
    no: 51,
    what: 'a body of exactly the limit',
    tries: [[body(good().padEnd(BODY_LIMIT_BYTES)), 202]],
  },
  { no: 52, what: 'a byte order mark', tries: [[body(`\ufeff${good()}`), 'body-malformed']] },
  {
    no: 53,
    what: 'bytes that are not UTF-8',
    tries: [[body(Buffer.from(good().replace('Ada', '\xff'), 'latin1')), 'body-malformed']],
  },
  {
    no: 54,
    what: 'a GET with a body',
    note: 'The body is not looked at.',
    tries: [
      [
        raw(
          'GET /v1/bookings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer CUSTOMER\r\n' +
            'Content-Type: application/json\r\nContent-Length: 5\r\nConnection: close\r\n\r\n{"a":',
        ),
        200,
      ],
    ],
  },
  {
    no: 55,
    what: 'Expect: 100-continue, and nothing after it; an expectation that is none',
    note: 'Nobody has to fulfil what it does not know (RFC 9110, 10.1.1).',
    tries: [
      [framed('', 'Content-Length: 10', 'Expect: 100-continue'), 'request-timeout'],
      [framed(good(), '', 'Expect: more'), 202],
    ],
  },
  { no: 56, what: 'half a document', tries: [[body(good().slice(0, -1)), 'body-malformed']] },
  { no: 57, what: 'two documents', tries: [[body(good() + good()), 'body-malformed']] },
  {
    no: 58,
    what: 'comments, a comma at the end',
    tries: [
      [body(`/* one */${good()}`), 'body-malformed'],
      [body(good().replace(/\}$/, ',}')), 'body-malformed'],
    ],
  },
  {
    no: 59,
    what: 'NaN, Infinity',
    tries: [
      [body(good().replace('240000', 'NaN')), 'body-malformed'],
      [body(good().replace('240000', 'Infinity')), 'body-malformed'],
    ],
  },
  {
    no: 60,
    what: 'a list, a text, null in place of an object',
    tries: [
      [body('[]'), 'body-invalid'],
      [body('"trip"'), 'body-invalid'],
      [body('null'), 'body-invalid'],
    ],
  },
];

function chunks(count: number, size: number): string {
  return `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`.repeat(count) + '0\r\n\r\n';
}
