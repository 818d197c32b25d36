import { runSaga, type RunResult, type RunStart } from 'recourse/workflow';
import { BOOK_TRIP_VERSIONS } from './book-trip.saga.js';

/** The workflow of every version of the trip: a run keeps the version it was accepted with. */
export function bookTrip(start: RunStart): Promise<RunResult> {
  return runSaga(BOOK_TRIP_VERSIONS, start);
}
