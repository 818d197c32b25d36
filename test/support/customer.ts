import { randomUUID } from 'node:crypto';
import { pollUntil } from '../../src/local/poll-until.process.js';
import type { House } from './house.js';

/** As contracts have it; only what tests look at is typed. */
export interface BookingSeen {
  readonly id: string;
  readonly status: string;
  readonly steps: readonly {
    readonly name: string;
    readonly state: string;
    readonly undo: string;
  }[];
  readonly failure: { readonly code: string; readonly step: string | null } | null;
  readonly payment: {
    readonly charge: string | null;
    readonly refunded: { readonly amount: number };
  };
  readonly flight: { readonly order: string | null; readonly ticket: string | null };
  readonly hotel: { readonly reservation: string | null };
  readonly [field: string]: unknown;
}

export interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface TripWishes {
  readonly flight?: string;
  readonly hotel?: string;
  readonly source?: string;
  readonly reference?: string;
  readonly key?: string;
}

/** A case as an operator sees it: what is needed to give a verdict on it. */
export interface CaseSeen {
  readonly id: string;
  readonly step: string;
  readonly etag: string;
}

/** A customer and an operator of a house, over HTTP like anybody else. */
export class Visitor {
  constructor(private readonly house: Pick<House, 'url' | 'keys'>) {}

  /** Books a trip and expects it to be accepted. */
  async book(wishes: TripWishes = {}): Promise<BookingSeen> {
    const reply = await this.post<BookingSeen>('/v1/bookings', tripBody(wishes), wishes.key);
    if (reply.status !== 202)
      throw new Error(`booking: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async read(id: string): Promise<BookingSeen> {
    return (await this.get<BookingSeen>(`/v1/bookings/${id}`)).body;
  }

  /** Waits until the booking has one of these statuses; says what it had when it never does. */
  async until(id: string, statuses: readonly string[], limitMs = 60_000): Promise<BookingSeen> {
    let last: BookingSeen | undefined;
    const seen = await pollUntil(
      async () => {
        last = await this.read(id).catch(() => last);
        return last !== undefined && statuses.includes(last.status) ? last : undefined;
      },
      { limitMs, everyMs: 50 },
    );
    if (seen !== undefined) return seen;
    throw new Error(`${id} is not ${statuses.join(' or ')} but ${JSON.stringify(last)}`);
  }

  cancel(id: string): Promise<Reply<BookingSeen & { readonly code?: string }>> {
    return this.post(`/v1/bookings/${id}/cancel`, {});
  }

  async run(id: string): Promise<Record<string, unknown> & { readonly state: string }> {
    return (await this.get<{ state: string }>(`/v1/runs/${id}`, 'operator')).body;
  }

  /** The open cases of a run, each with the ETag a verdict on it needs. */
  async openCases(run: string): Promise<readonly CaseSeen[]> {
    const list = await this.get<{ data: { id: string; run: string; step: string }[] }>(
      '/v1/cases?state=open&limit=100',
      'operator',
    );
    const ours = list.body.data.filter((one) => one.run === run);
    return Promise.all(
      ours.map(async ({ id, step }) => {
        const one = await this.get(`/v1/cases/${id}`, 'operator');
        return { id, step, etag: one.headers.get('etag') ?? '' };
      }),
    );
  }

  /** Gives a verdict on a case as it was seen. */
  decide(
    seen: { readonly id: string; readonly etag: string },
    verdict: Readonly<Record<string, unknown>>,
  ): Promise<Reply<Record<string, unknown>>> {
    const body = { evidence: 'the provider was called', reason: 'test', ...verdict };
    return this.post(`/v1/cases/${seen.id}/verdict`, body, randomUUID(), 'operator', {
      'If-Match': seen.etag,
    });
  }

  async get<Body>(path: string, role: 'customer' | 'operator' = 'customer'): Promise<Reply<Body>> {
    return this.send(path, { method: 'GET', headers: this.authorized(role) });
  }

  async post<Body>(
    path: string,
    body: unknown,
    key: string = randomUUID(),
    role: 'customer' | 'operator' = 'customer',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply<Body>> {
    return this.send(path, {
      method: 'POST',
      headers: {
        ...this.authorized(role),
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }

  private authorized(role: 'customer' | 'operator'): Record<string, string> {
    return { Authorization: `Bearer ${this.house.keys[role]}` };
  }

  private async send<Body>(path: string, init: RequestInit): Promise<Reply<Body>> {
    const response = await fetch(`${this.house.url}${path}`, init);
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as Body };
  }
}

/** The body of a booking, with magic offers where a test wishes for trouble. */
export function tripBody(wishes: TripWishes = {}): Record<string, unknown> {
  const { flight = 'BLR-LHR-0417', hotel = 'H-204', source = 'tok_visa', reference } = wishes;
  return {
    ...(reference === undefined ? {} : { reference }),
    traveller: { name: 'Ada Byron', email: 'ada@example.com' },
    flight: { offer: flight },
    hotel: { offer: hotel, nights: 2 },
    payment: { amount: 240_000, currency: 'INR', source },
  };
}
