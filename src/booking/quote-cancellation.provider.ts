import { Inject, Injectable } from '@nestjs/common';
import {
  phasesOf,
  Quotes,
  Runs,
  type CancelRefusal,
  type PhaseContext,
  type PhasedHandler,
  type Quoted,
} from 'recourse/nest';
import { refuseCancel } from './answer-cancel.js';
import type { CancellationTerms } from './cancellation-schema.js';
import { termsOf } from './cancellation-terms.js';
import { onlyTrip } from './only-trip.js';
import { presentCancellation } from './present-cancellation.js';

/** Which booking somebody may want to cancel. */
export interface QuoteWish {
  readonly booking: string;
}

interface Priced extends QuoteWish {
  readonly comesTo: Quoted;
  readonly terms: CancellationTerms;
}

/** Asking takes 6 s at most; who waits for a dead process waits no longer than this. */
const LEASE_MS = 10_000;
/** Long enough to read it and to ask at home; what it says is compared when it is confirmed. */
const OPEN_MS = 15 * 60_000;

/**
 * Quotes the cancel of a booking: first the providers are asked, then it is offered. It changes
 * nothing but its own rows; after a crash another process goes on with it.
 */
@Injectable()
export class QuoteCancellation implements PhasedHandler<QuoteWish> {
  readonly name = 'quote-cancellation';
  readonly leaseMs = LEASE_MS;
  readonly phases = phasesOf<QuoteWish>()
    .phase('ask', {
      work: (wish, about) => this.#price(wish, about),
      write: (_tx, priced) => Promise.resolve(priced),
    })
    .answer('offer', {
      work: () => Promise.resolve(this.quotes.newToken()),
      write: async (tx, token, { booking, comesTo, terms }, { account }) => {
        const offer = { account, run: booking, comesTo, terms, token, openMs: OPEN_MS };
        const quote = await this.quotes.offer(tx, offer);
        const location = `/v1/cancellations/${quote.id}`;
        return { status: 201, body: presentCancellation(quote, token), location };
      },
    });

  constructor(
    @Inject(Quotes) private readonly quotes: Quotes,
    @Inject(Runs) private readonly runs: Runs,
  ) {}

  async #price({ booking }: QuoteWish, { account, signal }: PhaseContext): Promise<Priced> {
    const run = onlyTrip(await this.runs.find(account, booking));
    const refuse = (refusal: CancelRefusal): never => refuseCancel(refusal, run);
    const comesTo = await this.quotes.ask(booking, refuse, signal);
    return { booking, comesTo, terms: termsOf(comesTo, run) };
  }
}
