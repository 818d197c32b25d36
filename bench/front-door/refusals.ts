import { TRIP } from '../trip.js';
import type { Asked } from './post.client.js';

const JSON_BODY = { 'content-type': 'application/json' };
const TEXT = JSON.stringify(TRIP);
const NOBODY = 'bk_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const TOO_DEEP = 40;

/** A request that is refused, and with which status. */
export interface Refused {
  readonly status: number;
  readonly asked: Asked;
}

/** Requests that are refused, each for another reason. */
export function refusalsFor(key: string): readonly Refused[] {
  const mine = { authorization: `Bearer ${key}` };
  const post = (headers: Readonly<Record<string, string>>, body: string): Asked => ({
    ...({ method: 'POST', path: '/v1/bookings' } as const),
    headers: { ...mine, ...JSON_BODY, 'idempotency-key': 'refused', ...headers },
    body,
  });
  return [
    { status: 400, asked: post({}, '{"traveller":') },
    { status: 400, asked: post({}, '{}') },
    { status: 400, asked: post({}, '['.repeat(TOO_DEEP) + ']'.repeat(TOO_DEEP)) },
    { status: 400, asked: post({}, TEXT.replace('240000', '2.4e999')) },
    { status: 400, asked: post({ 'idempotency-key': 'k'.repeat(256) }, TEXT) },
    { status: 400, asked: post({ 'idempotency-key': '' }, TEXT) },
    { status: 401, asked: post({ authorization: 'Bearer nobody' }, TEXT) },
    { status: 415, asked: post({ 'content-type': 'text/css' }, TEXT) },
    { status: 406, asked: post({ accept: 'text/html' }, TEXT) },
    { status: 403, asked: { method: 'GET', path: '/v1/runs', headers: mine } },
    { status: 404, asked: { method: 'GET', path: `/v1/bookings/${NOBODY}`, headers: mine } },
    { status: 400, asked: { method: 'GET', path: '/v1/bookings?limit=1000', headers: mine } },
    { status: 405, asked: { method: 'PATCH', path: '/v1/bookings', headers: mine } },
  ];
}
