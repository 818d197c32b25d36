export { doNothing } from './empty.workflow.js';
export { tripByHand } from './trip.workflow.js';
