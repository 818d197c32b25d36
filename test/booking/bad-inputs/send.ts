import { randomUUID } from 'node:crypto';
import { PROBLEMS, type ProblemCode } from '../../../src/engine/http/problem.js';
import { ask, type Ask, type TestApi } from '../../support/api.js';
import { parseRaw, sendRaw } from '../../support/raw-http.js';
import { trip } from '../../support/trip.js';

/** An API with something in it that inputs can be about. */
export interface World {
  readonly api: TestApi;
  /** A booking that goes on, one that has ended, and one of another account. */
  readonly booking: string;
  readonly ended: string;
  readonly foreign: string;
}

/** What was heard of an input. */
export interface Heard {
  readonly status: number;
  readonly code: string | null;
  readonly type: string | null;
  readonly replayed?: boolean;
}

export type Sending = (world: World) => Promise<Heard>;
/** The code of a refusal, or the status of what is answered all the same. */
export type Expected = ProblemCode | 200 | 202 | 'replay';
export type Try = readonly [sending: Sending, expected: Expected];

/** One number of the list: an input, and what it is answered. */
export interface BadInput {
  readonly no: number;
  readonly what: string;
  readonly tries: readonly Try[];
  /** Where the answer alone does not say it. */
  readonly note?: string;
}

/** One that is not sent here, and why. */
export interface NotSent {
  readonly no: number;
  readonly what: string;
  readonly why: string;
}

/** What an expected answer is called in words. */
export function nameOf(expected: Expected): string {
  if (typeof expected === 'number') return String(expected);
  return expected === 'replay' ? '202, replayed' : `${statusOf(expected)} \`${expected}\``;
}

export function statusOf(expected: Expected): number {
  if (typeof expected === 'number') return expected;
  return expected === 'replay' ? 202 : PROBLEMS[expected].status;
}

async function hear(world: World, path: string, question: Ask): Promise<Heard> {
  const { status, headers, body } = await ask(world.api, path, question);
  return {
    status,
    code: typeof body?.code === 'string' ? body.code : null,
    type: headers.get('content-type'),
    replayed: headers.get('idempotent-replayed') === 'true',
  };
}

/** A body of a booking as text, with a part of it replaced. */
export const good = (): string => JSON.stringify(trip());
export const replaced = (from: string, to: string): string => good().replace(from, to);

/** Books with a key of its own, or with `key`; null: without one. */
export function book(question: Ask = {}, key: string | null = randomUUID()): Sending {
  const own = key === null ? {} : { key };
  return (world) =>
    hear(world, '/v1/bookings', { body: trip(), method: 'POST', ...own, ...question });
}

/** Books with a body, as a value or as text. */
export const body = (sent: unknown): Sending => book({ body: sent });
/** Books with some members changed. */
export const changed = (changes: Readonly<Record<string, unknown>>): Sending => body(trip(changes));
export const headers = (more: Readonly<Record<string, string>>): Sending => book({ headers: more });

/** Books for a caller who waits until then. */
export const until = (deadline: string): Sending => headers({ 'recourse-deadline': deadline });

/** Reads; `BOOKING`, `ENDED` and `FOREIGN` in a path are the ids of the world. */
export function read(path: string, question: Ask = {}): Sending {
  return (world) => hear(world, placed(world, path), question);
}

/** Reads as an operator. */
export const look = (path: string): Sending => {
  return (world) => hear(world, placed(world, path), { as: world.api.keys.operator });
};

export function cancel(booking: 'BOOKING' | 'ENDED' | 'FOREIGN', more: Ask = {}): Sending {
  const key = randomUUID();
  return (world) =>
    hear(world, placed(world, `/v1/bookings/${booking}/cancel`), { key, body: {}, ...more });
}

/** One after the other; what the last one hears counts. */
export function inTurn(first: Sending, ...more: readonly Sending[]): Sending {
  return async (world) => {
    let heard = await first(world);
    for (const sending of more) heard = await sending(world);
    return heard;
  };
}

/** Bytes as they are, in Latin-1; `CUSTOMER` in them is the API key. */
export function raw(text: string): Sending {
  return async ({ api }) => {
    const bytes = text.replaceAll('CUSTOMER', api.keys.customer);
    const first = await sendRaw(api.url, bytes);
    // Whoever was told to go on hears the answer behind it.
    const {
      status,
      headers: fields,
      body: rest,
    } = first.status === 100 ? parseRaw(first.body) : first;
    const isProblem = fields['content-type'] === 'application/problem+json';
    const document = isProblem ? (JSON.parse(bodyOf(rest, fields)) as { code: string }) : null;
    return { status, code: document?.code ?? null, type: fields['content-type'] ?? null };
  };
}

/** More may come on the same connection. */
const bodyOf = (text: string, fields: Readonly<Record<string, string>>): string =>
  Buffer.from(text)
    .subarray(0, Number(fields['content-length'] ?? Infinity))
    .toString();

/** A booking as bytes: head lines of one's own, and a body. */
export function rawBook(
  lines: readonly string[],
  text = good(),
  length: string | null = '',
): string {
  const own = length === '' ? `Content-Length: ${Buffer.byteLength(text, 'latin1')}` : length;
  const head = [
    'POST /v1/bookings HTTP/1.1',
    'Host: api.example.com',
    'Authorization: Bearer CUSTOMER',
    ...lines,
    ...(own === null ? [] : [own]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

/** The lines that every raw booking has, unless it is about them. */
export const JSON_LINE = 'Content-Type: application/json';
export const CLOSE = 'Connection: close';

function placed({ booking, ended, foreign }: World, path: string): string {
  return path.replace('BOOKING', booking).replace('ENDED', ended).replace('FOREIGN', foreign);
}
