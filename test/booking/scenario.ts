import type { TripWishes } from '../support/customer.js';
import type { House } from '../support/house.js';
import type { FaultWish } from '../support/sandbox.js';

/** What somebody does to a trip that is under way. */
export type Deed = (house: House, id: string) => Promise<void>;

/** One way for a trip to go: what is asked for, what strikes it, what people do, how it ends. */
export interface Scenario {
  readonly wishes?: TripWishes;
  readonly faults?: readonly FaultWish[];
  /** Its deadline, after its acceptance. @default as the saga says */
  readonly deadlineMs?: number;
  /** One after another, each once it can be done. */
  readonly deeds?: readonly Deed[];
  readonly ends: 'completed' | 'undone' | 'cancelled' | 'closed_by_hand';
}
