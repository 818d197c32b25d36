import type { Quote } from 'recourse/nest';
import { CancellationTerms, type Cancellation } from './cancellation-schema.js';

/** Shows a quote as the customer sees it; `token` is told with the answer that makes it, only. */
export function presentCancellation(quote: Quote, token: string | null = null): Cancellation {
  return {
    object: 'cancellation',
    id: quote.id,
    booking: quote.run,
    state: quote.state,
    ...CancellationTerms.parse(quote.terms),
    created_at: quote.createdAt.toISOString(),
    expires_at: quote.expiresAt.toISOString(),
    token,
  };
}
