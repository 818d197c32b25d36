/** One trip that has come to its end. */
export interface Arrived {
  /** Of its workflow. */
  readonly id: string;
  /** When the customer knew of it, where that is before its end; by the monotonic clock. */
  readonly confirmedAt?: number;
}

/** Makes one trip and answers when nothing of it is left to do. */
export type TripMaker = () => Promise<Arrived>;
