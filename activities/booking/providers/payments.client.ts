import type { Finding, Outcome } from 'recourse';
import { readFinding, readOutcome, type ProviderClient, type Sending } from 'recourse/activity';
import { listOf } from './answer-fields.js';
import { CHARGE_ANSWERS, ChargeAnswer, REFUND_ANSWERS, RefundAnswer } from './payments.outcomes.js';

export interface ChargeOrder {
  readonly source: string;
  readonly amount: number;
  readonly currency: string;
}

export interface RefundOrder {
  readonly charge: string;
  readonly amount: number;
}

/** Honours the key for 24 h, and can be asked by reference. */
export interface Payments {
  readonly charge: (sending: Sending, order: ChargeOrder) => Promise<Outcome<ChargeAnswer>>;
  readonly refund: (sending: Sending, order: RefundOrder) => Promise<Outcome<RefundAnswer>>;
  /** All charges made under the key of `sending`. */
  readonly findCharges: (sending: Sending) => Promise<Finding<readonly ChargeAnswer[]>>;
  /** All refunds made under the key of `sending`. */
  readonly findRefunds: (sending: Sending) => Promise<Finding<readonly RefundAnswer[]>>;
}

export function createPayments(client: ProviderClient): Payments {
  return {
    async charge(sending, { amount, currency, source }) {
      const body = { amount, currency, source, reference: sending.key };
      const answer = await client.send(sending, { method: 'POST', path: '/charges', body });
      return readOutcome(answer, CHARGE_ANSWERS, ChargeAnswer);
    },
    async refund(sending, { charge, amount }) {
      const body = { charge, amount, reference: sending.key };
      const answer = await client.send(sending, { method: 'POST', path: '/refunds', body });
      return readOutcome(answer, REFUND_ANSWERS, RefundAnswer);
    },
    async findCharges(sending) {
      const query = { reference: sending.key };
      const answer = await client.send(sending, { method: 'GET', path: '/charges', query });
      return readFinding(answer, listOf(ChargeAnswer));
    },
    async findRefunds(sending) {
      const query = { reference: sending.key };
      const answer = await client.send(sending, { method: 'GET', path: '/refunds', query });
      return readFinding(answer, listOf(RefundAnswer));
    },
  };
}
