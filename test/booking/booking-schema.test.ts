import { expect, test } from 'vitest';
import { BookingRequest } from '../../src/booking/booking-schema.js';
import { memberErrors } from '../../src/engine/http/member-error.js';
import { trip } from '../support/trip.js';

const payment = (changes: object) => ({ payment: { ...(trip().payment as object), ...changes } });
const traveller = (changes: object) => ({
  traveller: { ...(trip().traveller as object), ...changes },
});
const hotel = (changes: object) => ({ hotel: { offer: 'H-204', nights: 2, ...changes } });
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 'value']));

const BAD: readonly (readonly [object, string, string])[] = [
  [payment({ amount: 0 }), '/payment/amount', 'too-small'],
  [payment({ amount: -1 }), '/payment/amount', 'too-small'],
  [payment({ amount: 0.5 }), '/payment/amount', 'wrong-type'],
  [payment({ amount: '240000' }), '/payment/amount', 'wrong-type'],
  [payment({ amount: true }), '/payment/amount', 'wrong-type'],
  [payment({ amount: null }), '/payment/amount', 'wrong-type'],
  [payment({ amount: undefined }), '/payment/amount', 'required'],
  [payment({ amount: 2 ** 53 }), '/payment/amount', 'too-big'],
  [payment({ currency: 'XXZ' }), '/payment/currency', 'currency-unknown'],
  [payment({ currency: 'inr' }), '/payment/currency', 'wrong-format'],
  [payment({ currency: 'RUPEE' }), '/payment/currency', 'wrong-format'],
  [payment({ currency: undefined }), '/payment/currency', 'required'],
  [payment({ source: '' }), '/payment/source', 'too-small'],
  [payment({ source: 's'.repeat(201) }), '/payment/source', 'too-big'],
  [payment({ refunded: 1 }), '/payment/refunded', 'unknown-member'],
  [traveller({ name: 'n'.repeat(201) }), '/traveller/name', 'too-big'],
  [traveller({ name: ' ' }), '/traveller/name', 'blank'],
  [traveller({ name: 'Ada\nByron' }), '/traveller/name', 'character-not-allowed'],
  [traveller({ email: 'ada' }), '/traveller/email', 'wrong-format'],
  [traveller({ email: `${'a'.repeat(65)}@example.com` }), '/traveller/email', 'wrong-format'],
  [traveller({ email: `ada@${'a'.repeat(64)}.com` }), '/traveller/email', 'wrong-format'],
  [traveller({ email: 'ada@-a.com' }), '/traveller/email', 'wrong-format'],
  [
    traveller({ email: 'ada@example.com\r\nBcc: x@example.com' }),
    '/traveller/email',
    'wrong-format',
  ],
  [traveller({ is_admin: true }), '/traveller/is_admin', 'unknown-member'],
  [{ traveller: [] }, '/traveller', 'wrong-type'],
  [{ traveller: undefined }, '/traveller', 'required'],
  [hotel({ nights: 0 }), '/hotel/nights', 'too-small'],
  [hotel({ nights: 366 }), '/hotel/nights', 'too-big'],
  [hotel({ nights: 1.5 }), '/hotel/nights', 'wrong-type'],
  [hotel({ offer: 'o'.repeat(101) }), '/hotel/offer', 'too-big'],
  [{ flight: null }, '/flight', 'wrong-type'],
  [{ reference: '' }, '/reference', 'too-small'],
  [{ reference: 'r'.repeat(201) }, '/reference', 'too-big'],
  [{ reference: 7 }, '/reference', 'wrong-type'],
  [{ metadata: { seat: 12 } }, '/metadata/seat', 'wrong-type'],
  [{ metadata: { seat: 's'.repeat(501) } }, '/metadata/seat', 'too-big'],
  [{ metadata: { ['n'.repeat(41)]: '' } }, `/metadata/${'n'.repeat(41)}`, 'name-not-allowed'],
  [{ metadata: pairs(21) }, '/metadata', 'too-big'],
  [{ metadata: [] }, '/metadata', 'wrong-type'],
  [{ status: 'confirmed' }, '/status', 'unknown-member'],
  [{ account: 'zenith' }, '/account', 'unknown-member'],
  [{ id: 'bk_1' }, '/id', 'unknown-member'],
];

test.each(BAD)('%j is refused at %s: %s', (changes, pointer, code) => {
  const body = trip({ ...changes });
  const { error } = BookingRequest.safeParse(body);
  expect(memberErrors(error?.issues ?? [], body)).toEqual([{ pointer, code }]);
});

const GOOD: readonly (readonly [string, object])[] = [
  ['the smallest amount', payment({ amount: 1 })],
  ['the largest amount that is safe', payment({ amount: Number.MAX_SAFE_INTEGER })],
  ['a currency without minor units', payment({ currency: 'JPY' })],
  ['a name in another script', traveller({ name: 'अदा बायरन' })],
  ['a name with markup, which nobody runs', traveller({ name: '<script>alert(1)</script>' })],
  ['as many pairs as allowed', { metadata: pairs(20) }],
  ['a value as long as allowed', { metadata: { note: 'n'.repeat(500) } }],
  ['no metadata', { metadata: {} }],
  ['a reference as long as allowed', { reference: 'r'.repeat(200) }],
];

test.each(GOOD)('%s is let through unchanged', (_what, changes) => {
  const body = trip({ ...changes });
  expect(BookingRequest.parse(body)).toEqual(body);
});
