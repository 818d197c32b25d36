import type { Act } from 'recourse';
import { z } from 'zod';
import type { Money } from './money.js';
import { ProviderId } from './providers/answer-fields.js';
import type { Messages } from './providers/messages.client.js';

export interface ReceiptInput {
  /** An e-mail address. */
  readonly to: string;
  readonly data: {
    readonly total: Money;
    readonly charge: string;
    readonly order: string;
    readonly ticket: string;
    readonly reservation: string;
  };
}

/** The message, by the name that messages gave it. */
const Receipt = z.object({ id: ProviderId });
export type Receipt = Readonly<z.infer<typeof Receipt>>;

/** Sends the traveller what was booked and paid. Two receipts are better than none. */
export function sendReceipt(messages: Messages): Act<'messages', ReceiptInput, Receipt> {
  return {
    kind: 'act',
    provider: 'messages',
    parse: (value) => Receipt.parse(value),
    sample: { id: 'ms_1' },
    perform: (call) => messages.send(call, { ...call.input, kind: 'receipt' }),
  };
}
