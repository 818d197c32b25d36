import { z } from 'zod';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Money on the wire: minor units, a positive safe integer, and an ISO 4217 currency. */
export const Money = z
  .strictObject({
    amount: z.int().positive(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { abort: true })
      .refine((code) => CURRENCIES.has(code), { params: { code: 'currency-unknown' } }),
  })
  .meta({ id: 'Money', description: 'Minor units and an ISO 4217 currency.' });
