import { runSaga, type RunResult, type RunStart } from 'recourse/workflow';
import { bookTripV1 } from './book-trip.v1.saga.js';

/** The workflow of every version of the trip: a run keeps the version it was accepted with. */
export function bookTrip(start: RunStart): Promise<RunResult> {
  return runSaga([bookTripV1], start);
}
