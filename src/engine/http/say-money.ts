/** Money in minor units, as it is on the wire. */
export interface MinorUnits {
  readonly amount: number;
  readonly currency: string;
}

/** Says an amount of minor units as people write it: `2,400.00 INR`. */
export function sayMoney({ amount, currency }: MinorUnits): string {
  // What was mistyped is shown as it came; who takes it refuses it.
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  // Cut as text: divided, the largest amounts would lose their last digit.
  const text = String(amount).padStart(digits + 1, '0');
  const units = BigInt(text.slice(0, text.length - digits)).toLocaleString('en');
  return digits === 0 ? `${units} ${currency}` : `${units}.${text.slice(-digits)} ${currency}`;
}
