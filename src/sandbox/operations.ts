import type { Answer } from './world/answer.js';
import { refusal } from './world/answer.js';
import type { Operation, Provider } from './world/world.js';

/** One thing that can be asked of a provider, and how it looks on the wire. */
export interface Route {
  readonly provider: Provider;
  readonly operation: Operation;
  readonly method: string;
  /** Below the provider's prefix; `:id` stands for one segment. */
  readonly path: string;
  /** Only looks: makes no effect, so it cannot decline one or make one late. */
  readonly reads: boolean;
  /** What the provider says when it is scripted to decline, or told to by magic input. */
  readonly declined: Answer;
}

const NOTHING_TO_DECLINE = refusal(409, 'declined', 'a question is not declined');

function writes(
  provider: Provider,
  operation: Operation,
  call: `${'POST' | 'DELETE'} ${string}`,
  declined: readonly [status: number, code: string],
): Route {
  const [method = '', path = ''] = call.split(' ');
  const [status, code] = declined;
  const answer = refusal(status, code, `${provider} declined: ${code}`);
  return { provider, operation, method, path, reads: false, declined: answer };
}

function reads(provider: Provider, operation: Operation, path: string): Route {
  const declined = NOTHING_TO_DECLINE;
  return { provider, operation, method: 'GET', path, reads: true, declined };
}

/** The whole protocol. Hotels and messages have no GET: they cannot be asked. */
export const ROUTES: readonly Route[] = [
  writes('payments', 'charge', 'POST /charges', [402, 'card_declined']),
  writes('payments', 'refund', 'POST /refunds', [402, 'refund_declined']),
  reads('payments', 'find_charge', '/charges'),
  reads('payments', 'find_refund', '/refunds'),
  writes('flights', 'hold', 'POST /orders', [409, 'sold_out']),
  writes('flights', 'cancel', 'POST /orders/:id/cancel', [409, 'not_cancellable']),
  writes('flights', 'ticket', 'POST /orders/:id/ticket', [409, 'not_ticketable']),
  reads('flights', 'find', '/orders'),
  writes('hotels', 'reserve', 'POST /reservations', [409, 'sold_out']),
  writes('hotels', 'cancel', 'DELETE /reservations/:id', [409, 'not_cancellable']),
  writes('messages', 'send', 'POST /messages', [422, 'recipient_refused']),
];

export const PROVIDERS: readonly Provider[] = ['payments', 'flights', 'hotels', 'messages'];

/** The route of a request and the id in its path, or null when the protocol has no such route. */
export function findRoute(
  provider: Provider,
  method: string,
  path: string,
): { readonly route: Route; readonly id: string } | null {
  for (const route of ROUTES) {
    if (route.provider !== provider || route.method !== method) continue;
    const id = idIn(route.path, path);
    if (id !== null) return { route, id };
  }
  return null;
}

/** The segment at `:id`, an empty string where the pattern has none, null where it does not fit. */
function idIn(pattern: string, path: string): string | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  let id = '';
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    if (segment === ':id' && value !== '') id = value;
    else if (segment !== value) return null;
  }
  return id;
}
