import { Problem, type RunSnapshot } from 'recourse/nest';
import { BOOK_TRIP } from '../../workflows/booking/book-trip.saga.js';

/** A run of another saga is no booking. Throws Problem: not-found. */
export function onlyTrip(run: RunSnapshot): RunSnapshot {
  if (run.saga !== BOOK_TRIP) throw new Problem('not-found');
  return run;
}
