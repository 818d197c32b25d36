import { expect, test } from 'vitest';
import type { Body } from '../../src/engine/providers/answer.js';
import { readBody } from '../../src/engine/providers/read-body.js';

const object: Body = { kind: 'json', value: { id: 'ch_1' } };
const wrongType: Body = { kind: 'unreadable', why: 'not-json-type' };
const compressed: Body = { kind: 'unreadable', why: 'compressed' };
const notJson: Body = { kind: 'unreadable', why: 'not-json' };

test.each<[contentType: string | undefined, encoding: string | undefined, Body]>([
  ['application/json', undefined, object],
  ['Application/JSON', 'identity', object],
  ['application/json; charset=utf-8', undefined, object],
  ['application/json;charset="UTF-8"', undefined, object],
  ['application/problem+json', undefined, object],
  ['application/vnd.hotels.v2+json', undefined, object],
  ['application/json; charset=utf-16', undefined, wrongType],
  ['application/jsonp', undefined, wrongType],
  ['text/json', undefined, wrongType],
  ['text/html', undefined, wrongType],
  ['', undefined, wrongType],
  [undefined, undefined, wrongType],
  ['application/json', 'gzip', compressed],
  ['application/json', 'br', compressed],
])('a body of type %j, encoded as %j', (contentType, contentEncoding, body) => {
  const bytes = Buffer.from('{"id":"ch_1"}');
  expect(readBody({ contentType, contentEncoding }, bytes)).toEqual(body);
});

test.each<[what: string, Buffer, Body]>([
  ['nothing', Buffer.alloc(0), { kind: 'empty' }],
  ['null', Buffer.from('null'), { kind: 'json', value: null }],
  ['half an object', Buffer.from('{"id":'), notJson],
  ['two documents', Buffer.from('{}{}'), notJson],
  ['a page', Buffer.from('<html></html>'), notJson],
  ['a comment', Buffer.from('{} // fine'), notJson],
  ['no number', Buffer.from('NaN'), notJson],
  ['a broken letter', Buffer.from([0x22, 0xc3, 0x22]), { kind: 'unreadable', why: 'not-utf8' }],
])('a JSON body of %s', (_what, bytes, body) => {
  const headers = { contentType: 'application/json', contentEncoding: undefined };
  expect(readBody(headers, bytes)).toEqual(body);
});
