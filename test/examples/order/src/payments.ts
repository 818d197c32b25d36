import { differs, done, found, unknown, type Act, type FindOf, type UndoOf } from 'recourse';
import {
  readFinding,
  readOutcome,
  whenDone,
  whenOne,
  type ProviderClient,
} from 'recourse/activity';
import { z } from 'zod';

export interface Payment {
  /** A whole number of minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
}

const Done = z.object({ id: z.string() });
export type Done = z.infer<typeof Done>;

const Authorised = Done.extend({ amount: z.int(), currency: z.string() });
const listOf = <Entry>(entry: z.ZodType<Entry>) =>
  z.object({ data: z.array(entry) }).transform(({ data }) => data);

const isOf = (payment: Payment, { amount, currency }: z.infer<typeof Authorised>): boolean =>
  amount === payment.amount && currency === payment.currency;

/** An answer that speaks of other money than was asked for is `unknown`: a person looks at it. */
export function authorise(payments: ProviderClient): Act<'payments', Payment, Done> {
  return {
    kind: 'act',
    provider: 'payments',
    parse: (value) => Done.parse(value),
    sample: { id: 'au_1' },
    async perform(call) {
      const body = { ...call.input, reference: call.key };
      const answer = await payments.send(call, { method: 'POST', path: '/authorisations', body });
      return whenDone(readOutcome(answer, [], Authorised), (authorised) =>
        isOf(call.input, authorised) ? done({ id: authorised.id }) : unknown('amount-differs'),
      );
    },
  };
}

export function findAuthorisation(payments: ProviderClient): FindOf<'authorise', Done> {
  return {
    kind: 'find',
    of: 'authorise',
    async perform(call) {
      const query = { reference: call.key };
      const answer = await payments.send(call, { method: 'GET', path: '/authorisations', query });
      const payment = call.input as Payment;
      return whenOne(readFinding(answer, listOf(Authorised)), (entry) =>
        isOf(payment, entry) ? found({ id: entry.id }) : differs('amount-differs'),
      );
    },
  };
}

export function voidAuthorisation(
  payments: ProviderClient,
): UndoOf<'authorise', Payment, Done, Done> {
  return {
    kind: 'undo',
    of: 'authorise',
    parse: (value) => Done.parse(value),
    async perform(call) {
      const body = { authorisation: call.input.value.id, reference: call.key };
      const answer = await payments.send(call, { method: 'POST', path: '/voids', body });
      return readOutcome(answer, [], Done);
    },
  };
}

/** Takes the money. From here on nothing is undone. */
export function capture(
  payments: ProviderClient,
): Act<'payments', { readonly authorisation: string }, Done> {
  return {
    kind: 'act',
    provider: 'payments',
    parse: (value) => Done.parse(value),
    sample: { id: 'cp_1' },
    async perform(call) {
      const body = { ...call.input, reference: call.key };
      const answer = await payments.send(call, { method: 'POST', path: '/captures', body });
      return readOutcome(answer, [], Done);
    },
  };
}

export const findVoid = (payments: ProviderClient): FindOf<'voidAuthorisation', Done> => ({
  kind: 'find',
  of: 'voidAuthorisation',
  perform: (call) => findOne(payments, '/voids', call),
});

export const findCapture = (payments: ProviderClient): FindOf<'capture', Done> => ({
  kind: 'find',
  of: 'capture',
  perform: (call) => findOne(payments, '/captures', call),
});

type Asked = Parameters<FindOf<string, Done>['perform']>[0];

async function findOne(payments: ProviderClient, path: string, call: Asked) {
  const query = { reference: call.key };
  const answer = await payments.send(call, { method: 'GET', path, query });
  return whenOne(readFinding(answer, listOf(Done)), found);
}
