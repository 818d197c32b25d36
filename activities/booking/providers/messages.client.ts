import type { Outcome } from 'recourse';
import { readOutcome, type ProviderClient, type Sending } from 'recourse/activity';
import { MESSAGE_ANSWERS, TakenInAnswer } from './messages.outcomes.js';

export interface Message {
  readonly to: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Knows no keys, and cannot be asked. */
export interface Messages {
  readonly send: (sending: Sending, message: Message) => Promise<Outcome<TakenInAnswer>>;
}

export function createMessages(client: ProviderClient): Messages {
  return {
    async send(sending, { to, kind, data }) {
      const body = { to, kind, data, reference: sending.key };
      const answer = await client.send(sending, { method: 'POST', path: '/messages', body });
      return readOutcome(answer, MESSAGE_ANSWERS, TakenInAnswer);
    },
  };
}
