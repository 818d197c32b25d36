import { z } from 'zod';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const AMOUNT = 'must be a whole number of minor units, such as 240000 for 2,400.00';
const CURRENCY = 'must be a currency of ISO 4217 in capitals, such as INR';

/** Money on the wire: minor units, a positive safe integer, and an ISO 4217 currency. */
export const Money = z
  .strictObject({
    amount: z
      .int({ error: AMOUNT })
      .positive({ error: AMOUNT })
      .meta({ description: 'In minor units: 240000 is 2,400.00 INR, and 240,000 JPY.' }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { abort: true, error: CURRENCY })
      .refine((code) => CURRENCIES.has(code), {
        error: CURRENCY,
        params: { code: 'currency-unknown' },
      })
      .meta({ enum: [...CURRENCIES] }),
  })
  .meta({ id: 'Money', description: 'Minor units and an ISO 4217 currency.' });
