import { createHash } from 'node:crypto';
import { idOf } from '../ids.js';
import type { Failure, BookingStatus, StepView } from '../saga/run-view.js';

/** What happened to a run, as a domain presents it. */
export interface ToldEvent {
  readonly id: string;
  readonly run: string;
  readonly reference: string | null;
  /** `accepted` is the first event of every run. */
  readonly kind: 'accepted' | 'status' | 'step';
  /** How the run stood when it happened. */
  readonly status: BookingStatus;
  readonly failure: Failure | null;
  /** The step that changed; null where the status did. */
  readonly step: StepView | null;
  readonly at: Date;
}

/**
 * The id of an event: it follows from what happened, so that the list, the stream and whoever tells
 * it name it alike, and one that is told twice is known.
 */
export function eventId(run: string, seq: number, step: string | null): string {
  const subject = step === null ? [run, seq] : [run, seq, step];
  return idOf('evt', createHash('sha256').update(JSON.stringify(subject)).digest());
}
