import { z } from 'zod';

/** A whole number of minor units, and an ISO 4217 currency. */
export const Money = z.object({ amount: z.int().nonnegative(), currency: z.string() });
export type Money = Readonly<z.infer<typeof Money>>;
