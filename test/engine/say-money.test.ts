import { expect, test } from 'vitest';
import { sayMoney } from '../../src/engine/http/say-money.js';

test.each([
  [240_000, 'INR', '2,400.00 INR'],
  [5, 'EUR', '0.05 EUR'],
  [1_200, 'JPY', '1,200 JPY'],
  [1_234_567, 'KWD', '1,234.567 KWD'],
  [Number.MAX_SAFE_INTEGER, 'INR', '90,071,992,547,409.91 INR'],
  // As a person may mistype it.
  [9_000, 'rupees', '9000 rupees'],
])('%d minor units of %s are said as %s', (amount, currency, said) => {
  expect(sayMoney({ amount, currency })).toBe(said);
});
