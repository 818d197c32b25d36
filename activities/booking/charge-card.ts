import { differs, done, found, unknown, type Act, type FindOf, type UndoOf } from 'recourse';
import { whenDone, whenOne } from 'recourse/activity';
import { z } from 'zod';
import { Money } from './money.js';
import { ProviderId } from './providers/answer-fields.js';
import type { Payments } from './providers/payments.client.js';
import type { ChargeAnswer, RefundAnswer } from './providers/payments.outcomes.js';

const ChargeInput = z.object({ source: z.string(), total: Money });
export type ChargeInput = Readonly<z.infer<typeof ChargeInput>>;

/** The charge, by the name that payments gave it. */
const Charge = z.object({ id: ProviderId });
export type Charge = Readonly<z.infer<typeof Charge>>;

/** The refund, by the name that payments gave it. */
const Refund = z.object({ id: ProviderId });
export type Refund = Readonly<z.infer<typeof Refund>>;

const RefundInput = z.object({ input: ChargeInput, value: Charge });

/** Takes the money. An answer that speaks of other money than was asked for is `unknown`. */
export function chargeCard(payments: Payments): Act<'payments', ChargeInput, Charge> {
  return {
    kind: 'act',
    provider: 'payments',
    parse: (value) => Charge.parse(value),
    sample: { id: 'ch_1' },
    async perform(call) {
      const { source, total } = call.input;
      const outcome = await payments.charge(call, { source, ...total });
      return whenDone(outcome, (charge) => {
        const difference = differenceOfCharge(charge, call.key, total);
        return difference === null ? done({ id: charge.id }) : unknown(difference);
      });
    },
  };
}

/** Gives all of it back. */
export function refundCard(payments: Payments): UndoOf<'chargeCard', ChargeInput, Charge, Refund> {
  return {
    kind: 'undo',
    of: 'chargeCard',
    parse: (value) => Refund.parse(value),
    async perform(call) {
      const { input, value } = call.input;
      const order = { charge: value.id, amount: input.total.amount };
      return whenDone(await payments.refund(call, order), (refund) => {
        const difference = differenceOfRefund(refund, call.key, order);
        return difference === null ? done({ id: refund.id }) : unknown(difference);
      });
    },
  };
}

/** Asks for the charge made under the key, and holds it against what was to be charged. */
export function findCharge(payments: Payments): FindOf<'chargeCard', Charge> {
  return {
    kind: 'find',
    of: 'chargeCard',
    async perform(call) {
      const { total } = ChargeInput.parse(call.input);
      return whenOne(await payments.findCharges(call), (charge) => {
        const difference = differenceOfCharge(charge, call.key, total);
        return difference === null ? found({ id: charge.id }) : differs(difference);
      });
    },
  };
}

/** Asks for the refund made under the key; a refund that somebody else made is not ours. */
export function findRefund(payments: Payments): FindOf<'refundCard', Refund> {
  return {
    kind: 'find',
    of: 'refundCard',
    async perform(call) {
      const { input, value } = RefundInput.parse(call.input);
      const order = { charge: value.id, amount: input.total.amount };
      return whenOne(await payments.findRefunds(call), (refund) => {
        const difference = differenceOfRefund(refund, call.key, order);
        return difference === null ? found({ id: refund.id }) : differs(difference);
      });
    },
  };
}

function differenceOfCharge(charge: ChargeAnswer, key: string, total: Money): string | null {
  if (charge.reference !== key) return 'reference-differs';
  if (charge.amount !== total.amount) return 'amount-differs';
  if (charge.currency !== total.currency) return 'currency-differs';
  return charge.status === 'succeeded' ? null : 'status-differs';
}

function differenceOfRefund(
  refund: RefundAnswer,
  key: string,
  order: { readonly charge: string; readonly amount: number },
): string | null {
  if (refund.reference !== key) return 'reference-differs';
  if (refund.charge !== order.charge) return 'charge-differs';
  if (refund.amount !== order.amount) return 'amount-differs';
  return refund.status === 'succeeded' ? null : 'status-differs';
}
