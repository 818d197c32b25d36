import type { Outcome } from 'recourse';
import { readOutcome, type ProviderClient, type Sending } from 'recourse/activity';
import type { Person } from '../person.js';
import {
  RELEASE_ANSWERS,
  RESERVE_ANSWERS,
  ReleasedAnswer,
  ReservedAnswer,
} from './hotels.outcomes.js';

export interface RoomOrder {
  readonly offer: string;
  readonly nights: number;
  readonly guest: Person;
}

/** Knows no keys, and cannot be asked. */
export interface Hotels {
  readonly reserve: (sending: Sending, order: RoomOrder) => Promise<Outcome<ReservedAnswer>>;
  readonly release: (sending: Sending, reservation: string) => Promise<Outcome<null>>;
}

export function createHotels(client: ProviderClient): Hotels {
  return {
    async reserve(sending, { offer, nights, guest }) {
      const body = { offer, nights, guest, reference: sending.key };
      const answer = await client.send(sending, { method: 'POST', path: '/reservations', body });
      return readOutcome(answer, RESERVE_ANSWERS, ReservedAnswer);
    },
    async release(sending, reservation) {
      const path = `/reservations/${encodeURIComponent(reservation)}`;
      const answer = await client.send(sending, { method: 'DELETE', path });
      return readOutcome(answer, RELEASE_ANSWERS, ReleasedAnswer);
    },
  };
}
