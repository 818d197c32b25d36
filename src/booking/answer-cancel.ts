import {
  Problem,
  type CancelAnswer,
  type CancelRefusal,
  type Effect,
  type RunSnapshot,
} from 'recourse/nest';
import { presentBooking } from './present-booking.js';

/** The pivot is one call to a provider: by then it is mostly decided. */
const PIVOT_RETRY_S = '1';

/** What a cancel is answered; a refusal is thrown, so that nothing of it is kept. */
export function answerCancel(answer: CancelAnswer, run: RunSnapshot): Effect {
  switch (answer) {
    case 'accepted':
    case 'unchanged':
      return { status: 202, body: presentBooking(run), location: `/v1/bookings/${run.id}` };
    case 'pivot-in-progress':
    case 'past-pivot':
    case 'already-ended':
      return refuseCancel(answer, run);
  }
}

/** Refuses a cancel, or the quote of one. Throws Problem. */
export function refuseCancel(refusal: CancelRefusal, run: RunSnapshot): never {
  if (refusal === 'pivot-in-progress') {
    throw new Problem(refusal, { headers: { 'Retry-After': PIVOT_RETRY_S } });
  }
  throw new Problem(refusal, { members: { booking_status: run.status } });
}
