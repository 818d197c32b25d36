import { Problem, type Quoted, type RunSnapshot, type StaysBecause } from 'recourse/nest';
import type { CancellationTerms } from './cancellation-schema.js';
import type { TripOrder } from './present-booking.js';

/** The step that takes the money. */
const PAYING = 'charge';

const UNDOING: Readonly<Record<string, string>> = {
  charge: 'The payment is given back.',
  flight: 'The seat is released.',
  hotel: 'The room is released.',
};

/**
 * What a quote of a trip says, in the words of a customer. Until the ticket is issued everything
 * that was paid is given back and nothing is kept. Throws Problem: unavailable, where it is not
 * known whether anything was paid: a price is never guessed.
 */
export function termsOf(quoted: Quoted, run: Pick<RunSnapshot, 'input'>): CancellationTerms {
  const { amount, currency } = (run.input as TripOrder).payment;
  const payment = quoted.steps.find(({ step }) => step === PAYING)?.undone ?? 'not';
  const isInDoubt = payment === 'may' || quoted.stays.some(({ step }) => step === PAYING);
  if (isInDoubt) {
    throw new Problem('unavailable', {
      detail: 'Nothing is quoted: what became of the payment is not known. Ask again later.',
      headers: { 'Retry-After': '5' },
    });
  }
  return {
    ends_as: statusOf(quoted.ends),
    undoes: quoted.steps
      .filter(({ undone }) => undone !== 'not')
      .map(({ step, undone }) => ({
        step,
        what: UNDOING[step] ?? `The step ${step} is undone.`,
        only_if: undone === 'may' ? 'it-took-effect' : null,
      })),
    refund: { amount: payment === 'will' ? amount : 0, currency },
    fees: { amount: 0, currency },
    cannot_be_undone: quoted.stays.map(({ step, why }) => ({ step, why: sayStays(why) })),
  };
}

function statusOf(ends: Quoted['ends']): CancellationTerms['ends_as'] {
  if (ends === 'undone') return 'failed';
  return ends === 'closed_by_hand' ? 'closed' : ends;
}

function sayStays(why: StaysBecause): string {
  switch (why) {
    case 'has-no-undo':
      return 'There is nothing that undoes it.';
    case 'left-as-it-is':
      return 'A person has decided to leave it as it is.';
    case 'unknown-outcome':
    case 'key-window-passed':
      return 'Whether it took effect is not known; a person finds out.';
    case 'undo-stuck':
    case 'forward-stuck':
    case 'found-differs':
    case 'nothing-to-undo':
    case 'contradiction':
      return 'A person looks into it.';
  }
}
