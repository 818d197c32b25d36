import { expect, test } from 'vitest';
import { acceptsEvents, acceptsJson } from '../../src/engine/http/accepts.js';
import { allowedMethods } from '../../src/engine/http/allowed-methods.js';
import { waitSeconds } from '../../src/engine/http/prefer.js';

test.each([
  [undefined, null],
  ['', null],
  ['wait=5', 5],
  ['Wait = 5', 5],
  ['wait="5"', 5],
  ['respond-async, wait=7', 7],
  ['wait=7; x=1, wait=9', 7],
  ['wait=0', 0],
  ['wait=31', 30],
  ['wait=999999999', 30],
  ['wait=-1', null],
  ['wait=1.5', null],
  ['wait=soon', null],
  ['wait', null],
  ['await=5', null],
])('Prefer: %s asks to wait %s seconds', (header, seconds) => {
  expect(waitSeconds(header)).toBe(seconds);
});

test.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/*;q=0.1', true],
  ['text/html, application/problem+json', true],
  ['application/xml', false],
  ['text/html, application/xml;q=0.9', false],
  ['application/json;q=0', false],
  ['application/json; q=0.000', false],
])('Accept: %s allows JSON: %s', (header, allowed) => {
  expect(acceptsJson(header)).toBe(allowed);
});

test.each([
  [undefined, true],
  ['text/event-stream', true],
  ['text/*', true],
  ['*/*;q=0.1', true],
  ['application/json, text/event-stream;q=0.5', true],
  ['application/json', false],
  ['text/html', false],
  ['text/event-stream;q=0', false],
])('Accept: %s allows a stream of events: %s', (header, allowed) => {
  expect(acceptsEvents(header)).toBe(allowed);
});

const ROUTES = [
  { method: 'GET', path: '/v1/bookings' },
  { method: 'HEAD', path: '/v1/bookings' },
  { method: 'POST', path: '/v1/bookings' },
  { method: 'GET', path: '/v1/bookings/:id' },
  { method: 'POST', path: '/v1/bookings/:id/cancel' },
];

test.each([
  ['/v1/bookings', ['GET', 'HEAD', 'POST']],
  ['/v1/bookings/bk_1', ['GET']],
  ['/v1/bookings/bk_1/cancel', ['POST']],
  ['/v1/bookings/', []],
  ['/v1/bookings//cancel', []],
  ['/v1/nothing', []],
  ['/', []],
])('the path %s has the methods %j', (path, methods) => {
  expect(allowedMethods(ROUTES, path)).toEqual(methods);
});
