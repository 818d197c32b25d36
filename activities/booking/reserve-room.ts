import { done, unknown, type Act, type UndoOf } from 'recourse';
import { whenDone } from 'recourse/activity';
import { z } from 'zod';
import { ProviderId } from './providers/answer-fields.js';
import type { Hotels, RoomOrder } from './providers/hotels.client.js';

export type RoomInput = RoomOrder;

/** The reservation, by the name that hotels gave it. */
const Room = z.object({ id: ProviderId });
export type Room = Readonly<z.infer<typeof Room>>;

const Released = z.null();

/** Reserves a room. There is no find: hotels cannot be asked, so an unknown end is a case. */
export function reserveRoom(hotels: Hotels): Act<'hotels', RoomInput, Room> {
  return {
    kind: 'act',
    provider: 'hotels',
    parse: (value) => Room.parse(value),
    sample: { id: 'rs_1' },
    async perform(call) {
      return whenDone(await hotels.reserve(call, call.input), (reservation) => {
        if (reservation.reference !== call.key) return unknown('reference-differs');
        if (reservation.status !== 'confirmed') return unknown('status-differs');
        return done({ id: reservation.id });
      });
    },
  };
}

/** Gives the room back. Safe to repeat: a room that is cancelled already says so, and is done. */
export function releaseRoom(hotels: Hotels): UndoOf<'reserveRoom', RoomInput, Room, null> {
  return {
    kind: 'undo',
    of: 'reserveRoom',
    parse: (value) => Released.parse(value),
    perform: (call) => hotels.release(call, call.input.value.id),
  };
}
