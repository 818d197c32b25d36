import { TRIP } from '../trip.js';
import type { Asked } from './post.client.js';

const JSON_BODY = { 'content-type': 'application/json' };
const TEXT = JSON.stringify(TRIP);
const NOBODY = 'bk_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const TOO_DEEP = 40;
/** One more byte than a body may have. */
const TOO_LARGE = 131_073;

/** A request that is refused, and with which status. */
export interface Refused {
  readonly status: number;
  /** `fresh`: its Idempotency-Key, unless that is what is wrong. `turn`: how often it was asked. */
  readonly asked: (fresh: string, turn: number) => Asked;
}

/** What has to be there for a request to be refused by it. */
export interface Ground {
  /** The API key. */
  readonly key: string;
  /** An Idempotency-Key that has an answer, and the reference of the booking that it made. */
  readonly kept: { readonly key: string; readonly reference: string };
  /** Enough of them that nobody waits for another who asks about the same one. */
  readonly bookings: readonly string[];
  /** An Idempotency-Key that somebody else is at work under. */
  readonly heldKey: string;
}

/** Requests that are refused, each for another reason. */
export function refusalsFor({ key, kept, bookings, heldKey }: Ground): readonly Refused[] {
  const mine = { authorization: `Bearer ${key}` };
  const post = (
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    pathOf = (_turn: number) => '/v1/bookings',
  ): Refused => ({
    status,
    asked: (fresh, turn) => ({
      ...({ method: 'POST', path: pathOf(turn) } as const),
      headers: { ...mine, ...JSON_BODY, 'idempotency-key': fresh, ...headers },
      body,
    }),
  });
  const other = (status: number, method: 'GET' | 'PATCH', path: string): Refused => ({
    status,
    asked: () => ({ method, path, headers: mine }),
  });
  const cancel = (turn: number) => `/v1/bookings/${bookings[turn % bookings.length]}/cancel`;
  return [
    post(400, {}, '{"traveller":'),
    post(400, {}, '{}'),
    post(400, {}, '['.repeat(TOO_DEEP) + ']'.repeat(TOO_DEEP)),
    post(400, {}, TEXT.replace('240000', '2.4e999')),
    post(400, { 'idempotency-key': 'k'.repeat(256) }, TEXT),
    post(400, { 'idempotency-key': '' }, TEXT),
    post(401, { authorization: 'Bearer nobody' }, TEXT),
    post(415, { 'content-type': 'text/css' }, TEXT),
    post(406, { accept: 'text/html' }, TEXT),
    other(403, 'GET', '/v1/runs'),
    other(404, 'GET', `/v1/bookings/${NOBODY}`),
    other(400, 'GET', '/v1/bookings?limit=1000'),
    other(405, 'PATCH', '/v1/bookings'),
    post(409, { 'idempotency-key': heldKey }, TEXT),
    post(409, {}, JSON.stringify({ ...TRIP, reference: kept.reference })),
    post(412, { 'if-match': '"0"' }, '{}', cancel),
    post(413, {}, ' '.repeat(TOO_LARGE)),
    post(422, { 'idempotency-key': kept.key }, TEXT),
  ];
}
