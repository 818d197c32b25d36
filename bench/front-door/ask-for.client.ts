import { randomBytes } from 'node:crypto';
import { cpuMsOf } from '../measure/cpu.process.js';
import { TRIP } from '../trip.js';
import { drive, type Driven } from './drive.client.js';
import type { Doors, Server } from './open-doors.process.js';
import { openClient, type Answered, type Asked, type Client } from './post.client.js';
import { holdKey } from './held-key.store.js';
import { refusalsFor, type Ground } from './refusals.js';

/** What is asked: each of them in turn, in each round. */
export const ASKED = ['bare', 'accepted', 'replayed', 'remembered', 'refused'] as const;
export type AskedFor = (typeof ASKED)[number];

/** What was seen of it, with the CPU milliseconds of one request. */
export interface Seen extends Driven {
  readonly api_cpu_ms: number;
  readonly postgres_cpu_ms: number;
}

/** How many bookings are made for so many seconds of replays. */
const KEPT_A_SECOND = 2_000;
const BODY = JSON.stringify(TRIP);

/** The request for a booking, under a key. */
export const booking = (key: string, idempotencyKey: string): Asked => ({
  ...({ method: 'POST', path: '/v1/bookings' } as const),
  headers: {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  },
  body: BODY,
});

const isAccepted = ({ status }: Answered): boolean => status === 202;

/** Asks for one thing at a time, so many at once. */
export class Asker {
  readonly #prefix = randomBytes(8).toString('hex');
  readonly #clients: Readonly<Record<'bare' | 'api' | 'otherApi', Client>>;
  #made = 0;
  #ground: Promise<Ground> | undefined;

  constructor(
    private readonly doors: Doors,
    private readonly atOnce: number,
  ) {
    this.#clients = {
      bare: openClient(doors.bare.url, atOnce),
      api: openClient(doors.api.url, atOnce),
      otherApi: openClient(doors.otherApi.url, atOnce),
    };
  }

  /** Throws when an answer is not the right one. */
  ask(name: AskedFor, seconds: number): Promise<Seen> {
    switch (name) {
      case 'bare':
        return this.#bare(seconds);
      case 'accepted':
        return this.#drive('api', seconds, () => this.#fresh(), isAccepted);
      case 'replayed':
        return this.#replayed(seconds);
      case 'remembered':
        return this.#remembered(seconds);
      case 'refused':
        return this.#refused(seconds);
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#clients).map((client) => client.close()));
  }

  #bare(seconds: number): Promise<Seen> {
    const one = { ...this.#fresh(), path: '/bookings' };
    return this.#drive('bare', seconds, () => one, isAccepted);
  }

  /** Asked at an API that has not answered them, so that it has to look into the table. */
  async #replayed(seconds: number): Promise<Seen> {
    const first = this.#made;
    const count = seconds * KEPT_A_SECOND;
    const kept = (n: number) => (n < count ? this.#keyed(first + n) : undefined);
    this.#made += count;
    await this.#drive('api', Infinity, kept, isAccepted);
    return this.#drive('otherApi', seconds, kept, isAccepted);
  }

  async #remembered(seconds: number): Promise<Seen> {
    const one = this.#fresh();
    await this.#clients.api.ask(one);
    return this.#drive('api', seconds, () => one, isAccepted);
  }

  async #refused(seconds: number): Promise<Seen> {
    const ground = await (this.#ground ??= this.#prepare());
    const all = refusalsFor(ground);
    const refused = (n: number) => all[n % all.length];
    // A refusal keeps no key; with one for each, none of them hears what another one is told.
    const next = (n: number) =>
      refused(n)?.asked(`${this.#prefix} refused ${n}`, Math.floor(n / all.length));
    const isRefused = ({ status }: Answered, n: number) => refused(n)?.status === status;
    const release = await holdKey(this.doors.databaseUrl, ground.heldKey);
    try {
      return await this.#drive('api', seconds, next, isRefused);
    } finally {
      await release();
    }
  }

  /** Makes what requests are refused by. */
  async #prepare(): Promise<Ground> {
    const { key } = this.doors;
    const reference = this.#prefix;
    const kept = { key: `${reference} kept`, reference };
    const body = JSON.stringify({ ...TRIP, reference });
    await this.#accept({ ...booking(key, kept.key), body });
    const fresh = Array.from({ length: this.atOnce }, () => this.#accept(this.#fresh()));
    return { key, kept, bookings: await Promise.all(fresh), heldKey: `${reference} held` };
  }

  /** Answers the id of the booking. */
  async #accept(asked: Asked): Promise<string> {
    const { status, text } = await this.#clients.api.ask(asked);
    if (status !== 202) throw new Error(`a booking to refuse others by: ${status} ${text}`);
    return (JSON.parse(text) as { id: string }).id;
  }

  #fresh(): Asked {
    return this.#keyed(this.#made++);
  }

  #keyed(n: number): Asked {
    return booking(this.doors.key, `${this.#prefix} ${n}`);
  }

  async #drive(
    to: 'bare' | 'api' | 'otherApi',
    seconds: number,
    next: (n: number) => Asked | undefined,
    isRight: (answered: Answered, n: number) => boolean,
  ): Promise<Seen> {
    const server: Server = this.doors[to];
    const pids = [server.pid, this.doors.postgresPid];
    const before = cpuMsOf(pids);
    const { atOnce } = this;
    const driven = await drive({ client: this.#clients[to], atOnce, seconds, next, isRight });
    const [api = 0, postgres = 0] = cpuMsOf(pids).map((ms, index) => ms - (before[index] ?? 0));
    const { count } = driven;
    return { ...driven, api_cpu_ms: api / count, postgres_cpu_ms: postgres / count };
  }
}
