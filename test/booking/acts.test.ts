import { again, differs, done, found, notThere, refused, unknown, type Outcome } from 'recourse';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBookingActs, type BookingActs } from '../../activities/booking/index.js';
import { openSandboxHere, type SandboxHere } from '../sandbox/sandbox-here.js';
import { callWith } from '../support/scripted-client.js';
import type { FaultWish, SandboxProvider } from '../support/sandbox.js';

// Every act against the sandbox, which keeps a record of its own of what really happened.

let sandbox: SandboxHere;
let acts: BookingActs;

beforeEach(async () => {
  sandbox = await openSandboxHere();
  const { payments, flights, hotels, messages } = sandbox.providers;
  acts = createBookingActs({
    payments: { url: payments, key: 'sk_payments' },
    flights: { url: flights, key: null },
    hotels: { url: hotels, key: null },
    messages: { url: messages, key: null },
  });
});
afterEach(() => sandbox.close());

const ada = { name: 'Ada Byron', email: 'ada@example.com' };
const chargeInput = { source: 'tok_visa', total: { amount: 240_000, currency: 'INR' } };
const seatInput = { offer: 'BLR-LHR-0417', traveller: ada };
const roomInput = { offer: 'H-204', nights: 2, guest: ada };

type Wanted = FaultWish['do'];

/** Longer than a plain answer takes on a busy machine. */
const PATIENT_MS = 5_000;
/** For what is never answered. */
const IMPATIENT_MS = 200;

let msLeft: number;
beforeEach(() => void (msLeft = PATIENT_MS));
const callNow = <Input>(key: string, input: Input) => ({ ...callWith(key, input), msLeft });

const charge = () => acts.chargeCard.perform(callNow('r:charge', chargeInput));
const hold = () => acts.holdSeat.perform(callNow('r:flight', seatInput));
const reserve = () => acts.reserveRoom.perform(callNow('r:hotel', roomInput));

const charged = async () => ({ input: chargeInput, value: valueOf(await charge()) });
const held = async () => ({ input: seatInput, value: valueOf(await hold()) });
const reserved = async () => ({ input: roomInput, value: valueOf(await reserve()) });

function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind !== 'done') throw new Error(`expected done, came to ${JSON.stringify(outcome)}`);
  return outcome.value;
}

interface Way {
  /** Does whatever has to come before, and gives back the call itself. */
  readonly prepare: () => Promise<() => Promise<Outcome<unknown>>>;
  readonly provider: SandboxProvider;
  readonly operation: string;
  readonly reference: string;
  readonly value: unknown;
  readonly declinedAs: string;
  readonly garbledAs?: string;
}

const id = (prefix: string) => ({ id: expect.stringMatching(`^${prefix}_`) as string });
const ticketed = { ticket: expect.stringMatching(/^T-/) as string };

const ways: Readonly<Record<keyof BookingActs, Way | null>> = {
  chargeCard: {
    prepare: async () => charge,
    provider: 'payments',
    operation: 'charge',
    reference: 'r:charge',
    value: id('ch'),
    declinedAs: 'card_declined',
  },
  refundCard: {
    async prepare() {
      const input = await charged();
      return () => acts.refundCard.perform(callNow('r:charge:undo', input));
    },
    provider: 'payments',
    operation: 'refund',
    reference: 'r:charge:undo',
    value: id('re'),
    declinedAs: 'refund_declined',
  },
  holdSeat: {
    prepare: async () => hold,
    provider: 'flights',
    operation: 'hold',
    reference: 'r:flight',
    value: id('or'),
    declinedAs: 'sold_out',
  },
  releaseSeat: {
    async prepare() {
      const input = await held();
      return () => acts.releaseSeat.perform(callNow('r:flight:undo', input));
    },
    provider: 'flights',
    operation: 'cancel',
    reference: 'r:flight:undo',
    value: null,
    declinedAs: 'not_cancellable',
  },
  reserveRoom: {
    prepare: async () => reserve,
    provider: 'hotels',
    operation: 'reserve',
    reference: 'r:hotel',
    value: id('rs'),
    declinedAs: 'sold_out',
  },
  releaseRoom: {
    async prepare() {
      const input = await reserved();
      return () => acts.releaseRoom.perform(callNow('r:hotel:undo', input));
    },
    provider: 'hotels',
    operation: 'cancel',
    reference: 'r:hotel:undo',
    value: null,
    declinedAs: 'not_cancellable',
    // It is answered 204; one that has a body to spoil is a 200, which the protocol does not know.
    garbledAs: 'http-200',
  },
  issueTicket: {
    async prepare() {
      const { value } = await held();
      return () => acts.issueTicket.perform(callNow('r:ticket', { order: value.id }));
    },
    provider: 'flights',
    operation: 'ticket',
    reference: 'r:ticket',
    value: ticketed,
    declinedAs: 'not_ticketable',
  },
  sendReceipt: {
    async prepare() {
      const { total } = chargeInput;
      const data = { total, charge: 'ch_1', order: 'or_1', ticket: 'T-1', reservation: 'rs_1' };
      return () => acts.sendReceipt.perform(callNow('r:receipt', { to: ada.email, data }));
    },
    provider: 'messages',
    operation: 'send',
    reference: 'r:receipt',
    value: id('ms'),
    declinedAs: 'recipient_refused',
  },
  // What only looks has tests of its own below.
  findCharge: null,
  findRefund: null,
  findSeat: null,
  findTicket: null,
};

const doing = Object.entries(ways).flatMap(([name, way]) => (way ? [[name, way] as const] : []));

describe.each(doing)('%s', (_name, way) => {
  const { provider, operation, reference } = way;
  const effects = async () =>
    (await sandbox.effects('r:')).filter((effect) => effect.reference === reference);

  test('takes effect once, and reads the answer', async () => {
    const perform = await way.prepare();
    expect(await perform()).toEqual(done(way.value));
    expect(await effects()).toHaveLength(1);
    const requests = await sandbox.requests('r:');
    expect(requests.filter((one) => one.reference === reference)).toEqual([
      expect.objectContaining({ key: reference, deadline: '2031-01-01T00:00:00.000Z' }),
    ]);
  });

  test.each<[fault: string, Wanted, Outcome<never>, effects: number]>([
    ['a decline', 'decline', refused(way.declinedAs), 0],
    ['our key refused', { status: { code: 401 } }, refused('our-key-rejected'), 0],
    ['too many', { status: { code: 429, retry_after: 7 } }, again('scripted', 7_000), 0],
    ['overload', { status: { code: 503, retry_after: 7 } }, unknown('http-503', 7_000), 0],
    ['a redirect', { status: { code: 307 } }, unknown('redirected'), 0],
    ['a reset', 'reset_before_effect', unknown('connection-lost'), 0],
    ['silence', 'hang', unknown('time-out'), 0],
    ['a lost answer', 'effect_then_reset', unknown('connection-lost'), 1],
    ['an answer that never comes', 'effect_then_hang', unknown('time-out'), 1],
    ['a failure that was none', 'effect_then_500', unknown('http-500'), 1],
    ['half a body', 'effect_then_truncated_body', unknown('truncated'), 1],
    ['no JSON', 'effect_then_malformed_json', unknown(way.garbledAs ?? 'not-json'), 1],
    ['a huge body', { huge_body: { bytes: 3_000_000 } }, unknown('too-large'), 1],
    ['a dripping body', { slow_drip: { bytes_per_second: 1 } }, unknown('time-out'), 1],
  ])('meets %s', async (_fault, wanted, outcome, count) => {
    const perform = await way.prepare();
    await sandbox.fault({ provider, operation, do: wanted });
    if (isDeepStrictEqual(outcome, unknown('time-out'))) msLeft = IMPATIENT_MS;
    expect(await perform()).toEqual(outcome);
    await vi.waitFor(async () => expect(await effects()).toHaveLength(count));
    expect(await sandbox.faults()).toEqual([expect.objectContaining({ used: 1 })]);
  });

  test('that comes too late by the clock of the provider is not done, and tried again', async () => {
    const late = await way.prepare();
    sandbox.turnClock(Date.UTC(2032, 0, 1) - Date.now());
    expect(await late()).toEqual(again('deadline-passed'));
    expect(await effects()).toEqual([]);
  });
});

describe('a charge that is sent again with its key', () => {
  test('after its answer was lost comes to the first one', async () => {
    await sandbox.fault({ provider: 'payments', operation: 'charge', do: 'effect_then_reset' });
    expect(await charge()).toEqual(unknown('connection-lost'));
    const [effect] = await sandbox.effects('r:charge');
    expect(await charge()).toEqual(done({ id: effect?.id }));
    expect(await sandbox.effects('r:charge')).toHaveLength(1);
  });

  test('while the first is at work is told to wait', async () => {
    const delay = { delay: { ms: 3_000 } };
    await sandbox.fault({ provider: 'payments', operation: 'charge', do: delay });
    msLeft = IMPATIENT_MS;
    expect(await charge()).toEqual(unknown('time-out'));
    msLeft = PATIENT_MS;
    expect(await charge()).toEqual(again('in-progress'));
  });
});

describe('what is found', () => {
  test.each<[fault: string, Wanted, finding: unknown]>([
    ['nothing', 'reset_before_effect', notThere()],
    ['the charge', 'effect_then_reset', found(id('ch'))],
    ['two charges', 'duplicate_effect', differs('two-results')],
    ['another amount', 'wrong_amount', differs('amount-differs')],
  ])('of a charge: %s', async (_what, wanted, finding) => {
    await sandbox.fault({ provider: 'payments', operation: 'charge', do: wanted });
    await charge();
    expect(await acts.findCharge.perform(callNow('r:charge', chargeInput))).toEqual(finding);
  });

  test.each<[fault: string, Wanted, finding: unknown]>([
    ['nothing', 'reset_before_effect', notThere()],
    ['the refund', 'effect_then_reset', found(id('re'))],
    ['another amount', 'wrong_amount', differs('amount-differs')],
  ])('of a refund: %s', async (_what, wanted, finding) => {
    const refundable = await charged();
    await sandbox.fault({ provider: 'payments', operation: 'refund', do: wanted });
    await acts.refundCard.perform(callNow('r:charge:undo', refundable));
    expect(await acts.findRefund.perform(callNow('r:charge:undo', refundable))).toEqual(finding);
  });

  test.each<[fault: string, Wanted, finding: unknown]>([
    ['nothing', 'reset_before_effect', notThere()],
    ['the seat', 'effect_then_reset', found(id('or'))],
    ['two seats', 'duplicate_effect', differs('two-results')],
  ])('of a seat: %s', async (_what, wanted, finding) => {
    await sandbox.fault({ provider: 'flights', operation: 'hold', do: wanted });
    await hold();
    expect(await acts.findSeat.perform(callNow('r:flight', seatInput))).toEqual(finding);
  });

  test.each<[fault: string, Wanted, finding: unknown]>([
    ['nothing', 'reset_before_effect', notThere()],
    ['the ticket', 'effect_then_reset', found(ticketed)],
  ])('of a ticket: %s', async (_what, wanted, finding) => {
    const order = (await held()).value.id;
    await sandbox.fault({ provider: 'flights', operation: 'ticket', do: wanted });
    await acts.issueTicket.perform(callNow('r:ticket', { order }));
    expect(await acts.findTicket.perform(callNow('r:ticket', { order }))).toEqual(finding);
  });

  test('of a seat that somebody else gave back: a case', async () => {
    const seat = await held();
    await acts.releaseSeat.perform(callNow('by-hand', seat));
    const finding = await acts.findSeat.perform(callNow('r:flight', seatInput));
    expect(finding).toEqual(differs('status-differs'));
  });
});
