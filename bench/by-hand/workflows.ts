export { doNothing } from './empty.workflow.js';
export { tripByHand, tripOnQueues } from './trip.workflow.js';
