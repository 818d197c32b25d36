import type { Decision, DecisionTools, Mention } from './answer.js';
import { addTo } from './answer.js';
import type { FlightsCall, FlightsEffect, FlightsState } from './flights.js';
import { applyFlights, decideFlights, emptyFlights } from './flights.js';
import type { HotelsCall, HotelsEffect, HotelsState } from './hotels.js';
import { applyHotels, decideHotels, emptyHotels } from './hotels.js';
import type { MessagesCall, MessagesEffect } from './messages.js';
import { decideMessages } from './messages.js';
import type { PaymentsCall, PaymentsEffect, PaymentsState } from './payments.js';
import { applyPayments, decidePayments, emptyPayments } from './payments.js';

export type Call = PaymentsCall | FlightsCall | HotelsCall | MessagesCall;
export type Effect = PaymentsEffect | FlightsEffect | HotelsEffect | MessagesEffect;
export type Provider = Call['provider'];
export type Operation = Call['operation'];

/** What all four providers know. It is the sum of the effects and mentions, and of nothing else. */
export interface World {
  readonly payments: PaymentsState;
  readonly flights: FlightsState;
  readonly hotels: HotelsState;
}

export function emptyWorld(): World {
  return { payments: emptyPayments(), flights: emptyFlights(), hotels: emptyHotels() };
}

/** Asks the called provider what it makes of a call. Changes nothing. */
export function decide(world: World, call: Call, tools: DecisionTools): Decision<Effect> {
  switch (call.provider) {
    case 'payments':
      return decidePayments(world.payments, call, tools);
    case 'flights':
      return decideFlights(world.flights, call, tools);
    case 'hotels':
      return decideHotels(world.hotels, call, tools);
    case 'messages':
      return decideMessages(call, tools);
  }
}

/** Makes an effect true. The same effects in the same order give the same world. */
export function applyEffect(world: World, effect: Effect, atMs: number): void {
  switch (effect.provider) {
    case 'payments':
      return applyPayments(world.payments, effect, atMs);
    case 'flights':
      return applyFlights(world.flights, effect);
    case 'hotels':
      return applyHotels(world.hotels, effect);
    case 'messages':
      return;
  }
}

/** Makes an order be found by one more reference. Only flights has mentions. */
export function applyMention(world: World, mention: Mention): void {
  addTo(world.flights.byReference, mention.reference, mention.id);
}

/**
 * The effects of a call that a faulty provider carries out twice: what is made new gets an id of
 * its own, and the key goes on meaning the first.
 */
export function doubled(effects: readonly Effect[], newId: () => string): Effect[] {
  return effects.flatMap((effect) => [effect, copyOf(effect, newId)]);
}

function copyOf(effect: Effect, newId: () => string): Effect {
  switch (effect.kind) {
    case 'charge':
    case 'refund':
      return { ...effect, id: freshLike(effect.id, newId), keeps_key: false };
    case 'hold':
    case 'reserve':
    case 'message':
      return { ...effect, id: freshLike(effect.id, newId) };
    case 'ticket':
      return { ...effect, ticket: `T-${newId()}` };
    case 'release':
    case 'cancel':
      return effect;
  }
}

function freshLike(id: string, newId: () => string): string {
  return `${id.slice(0, id.indexOf('_'))}_${newId()}`;
}
