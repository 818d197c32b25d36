import { RECOURSE_VERSION, type ToldEvent } from 'recourse/nest';
import type { BookingEvent } from './event-schema.js';
import { presentFailure } from './present-booking.js';

/** Shows what happened to a trip's run as what happened to the booking. */
export function presentEvent(event: ToldEvent): BookingEvent {
  const { step } = event;
  return {
    object: 'event',
    id: event.id,
    type: `booking.${nameOf(event)}`,
    api_version: RECOURSE_VERSION,
    created_at: event.at.toISOString(),
    data: {
      object: 'booking',
      id: event.run,
      reference: event.reference,
      status: event.status,
      step: step === null ? null : { name: step.name, state: step.state, undo: step.undo },
      failure: presentFailure(event),
    },
  };
}

function nameOf({ kind, status }: ToldEvent): string {
  switch (kind) {
    case 'accepted':
      return 'created';
    case 'step':
      return 'step';
    case 'status':
      return status;
  }
}
