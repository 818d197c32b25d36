import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { tripBody, Visitor, type BookingSeen, type Reply } from './customer.js';

/** As many trips are under way at most: a slow machine is not buried under what it owes. */
const CUSTOMERS = 10;
/** Each books a trip every so often, if the one before has ended: near five a second of all. */
const EVERY_MS = 1_600;
/** A busy machine may take this long for a few bookings while a process starts. */
const PATIENCE_MS = 120_000;

/** What a customer may be answered: it is well, or asking again under the same key heals it. */
const HEALS_OR_IS_WELL = {
  0: 'the process is gone',
  200: 'read',
  202: 'accepted',
  409: 'the same key is in progress',
  503: 'the process is about to go, or not yet there',
} as const;

/** A booking, and the key that it is sent under however often. */
export interface Wanted {
  readonly key: string;
  readonly hotel: string;
}

export interface Accepted extends Wanted {
  readonly id: string;
}

/**
 * Every third customer's hotel takes three seconds, and cannot be asked afterwards: a worker that
 * does not let such a call end leaves a case.
 */
function hotelOf(customer: number): string {
  return customer % 3 === 0 ? 'H-204-SLOW' : 'H-204';
}

/**
 * Customers of several API processes, who each book one trip after another, and ask the other API
 * under the same key until they have an answer.
 */
export class Crowd {
  readonly accepted: Accepted[] = [];
  /** How often each status was answered; 0: no answer at all. */
  readonly statuses = new Map<number, number>();
  private over = false;
  private readonly visitors: readonly Visitor[];
  private readonly customers: Promise<unknown>;

  constructor(urls: readonly string[], keys: DemoKeys) {
    this.visitors = urls.map((url) => new Visitor({ url, keys }));
    this.customers = Promise.all(
      Array.from({ length: CUSTOMERS }, (_nobody, number) => this.travel(number)),
    );
    this.customers.catch(() => undefined);
  }

  /** Answers when so many more were accepted. @throws when that takes too long. */
  async more(count: number): Promise<void> {
    const goal = this.accepted.length + count;
    const enough = () => this.accepted.length >= goal;
    if ((await pollUntil(enough, { limitMs: PATIENCE_MS, everyMs: 20 })) !== undefined) return;
    throw new Error(`${this.accepted.length} bookings were accepted, and not ${goal}`);
  }

  /** Nobody books any more; answers when each has what he booked. */
  async end(): Promise<void> {
    this.over = true;
    await this.customers;
  }

  /** Asks one of the APIs for a trip; undefined when it did not answer. */
  ask({ key, hotel }: Wanted, turn: number): Promise<Reply<BookingSeen> | undefined> {
    return this.at(turn)
      .post<BookingSeen>('/v1/bookings', tripBody({ hotel }), key)
      .catch(() => undefined);
  }

  private async travel(number: number): Promise<void> {
    await pause((number * EVERY_MS) / CUSTOMERS);
    for (let trip = number; !this.over; trip += 1) {
      const pace = pause(EVERY_MS);
      const wanted = { key: randomUUID(), hotel: hotelOf(number) };
      await this.untilConfirmed(await this.insist(wanted, trip), trip);
      await pace;
    }
  }

  private async insist(wanted: Wanted, first: number): Promise<string> {
    for (let turn = first; ; turn += 1) {
      const reply = await this.ask(wanted, turn);
      this.note(reply, 'a booking');
      if (reply?.status === 202) {
        this.accepted.push({ ...wanted, id: reply.body.id });
        return reply.body.id;
      }
      await pause(100);
    }
  }

  private async untilConfirmed(id: string, first: number): Promise<void> {
    for (let turn = first; ; turn += 1) {
      const path = `/v1/bookings/${id}`;
      const reply = await this.at(turn)
        .get<BookingSeen>(path)
        .catch(() => undefined);
      this.note(reply, path);
      if (reply?.body.status === 'confirmed') return;
      if (reply?.body.status === 'in_review') throw new Error(`${id} needs a person`);
      await pause(400);
    }
  }

  private note(reply: Reply<BookingSeen> | undefined, what: string): void {
    const status = reply?.status ?? 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status in HEALS_OR_IS_WELL) return;
    throw new Error(`${what} was answered ${status}: ${JSON.stringify(reply?.body)}`);
  }

  private at(turn: number): Visitor {
    const visitor = this.visitors[turn % this.visitors.length];
    if (visitor === undefined) throw new Error('there is no API');
    return visitor;
  }
}
