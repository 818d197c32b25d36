import type { Sagas } from '../../src/engine/sagas.js';
import { ask, startApi, type Ask, type Reply, type TestApi } from './api.js';
import { startAskableProviders, type AskableProviders } from './askable-providers.js';
import { trip, tripApi, tripSagas } from './trip.js';

/** An API of the trip whose providers can be asked, and what its customers do about cancels. */
export interface QuotingApi {
  readonly api: TestApi;
  readonly sagas: Sagas;
  readonly providers: AskableProviders;
  /** A key that nobody has used. */
  newKey(): string;
  /** Books a trip that nobody works on, and answers its id. */
  book(): Promise<string>;
  quote(booking: string, question?: Ask): Promise<Reply>;
  read(quote: string, question?: Ask): Promise<Reply>;
  confirm(quote: string, token: unknown, question?: Ask): Promise<Reply>;
  /** How many rows of a table are about a run. */
  count(table: string, run: string): Promise<number>;
  /** How many tokens can be taken. */
  tokens(): Promise<number>;
  /** Has a quote be over for so long, by the clock of the database. */
  expire(quote: string, ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startQuotingApi(): Promise<QuotingApi> {
  const providers = await startAskableProviders();
  const sagas = tripSagas(providers.url);
  const api = await startApi(tripApi, sagas);
  let keys = 0;
  const newKey = () => `key-${(keys += 1)}`;
  const counted = async (text: string, values: readonly string[] = []): Promise<number> => {
    const { rows } = await api.database.query(text, [...values]);
    return rows[0].count;
  };
  return {
    api,
    sagas,
    providers,
    newKey,
    book: async () => (await ask(api, '/v1/bookings', { key: newKey(), body: trip() })).body.id,
    quote: (booking, question) =>
      ask(api, `/v1/bookings/${booking}/cancellations`, { key: newKey(), ...question }),
    read: (quote, question) => ask(api, `/v1/cancellations/${quote}`, question),
    confirm: (quote, token, question) =>
      ask(api, `/v1/cancellations/${quote}/confirm`, {
        key: newKey(),
        body: { token },
        ...question,
      }),
    count: (table, run) =>
      counted(`select count(*)::integer as count from ${table} where run = $1::text`, [run]),
    tokens: () => counted('select count(*)::integer as count from tokens'),
    expire: async (quote, ms) => {
      await api.database.query(
        `with moved as (
           update tokens set expires_at = now() - $2::bigint * interval '1 millisecond'
           where about = $1::text returning about, expires_at)
         update quotes
         set expires_at = moved.expires_at, created_at = moved.expires_at - interval '1 s'
         from moved where id = about`,
        [quote, ms],
      );
    },
    close: async () => {
      await api.close();
      await providers.close();
    },
  };
}

/** What a refusal says, without what is of its request alone. */
export function saidBy({ status, body, headers }: Reply): object {
  const { request_id: _own, ...rest } = body;
  return { status, type: headers.get('content-type'), ...rest };
}
