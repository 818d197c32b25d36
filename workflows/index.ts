/** The one list that the worker bundles: a workflow's type is the name of its saga. */
export { bookTrip as 'book-trip' } from './booking/book-trip.workflow.js';
