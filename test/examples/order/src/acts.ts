import type { Act, FindOf, UndoOf } from 'recourse';
import { createProviderClient, type Answer } from 'recourse/activity';
import * as payments from './payments.js';
import * as shipping from './shipping.js';
import * as stock from './stock.js';

/** Everything an order can do, undo and ask after, by the names that sagas use. */
export interface OrderActs {
  readonly reserveStock: Act<'stock', stock.Goods, stock.Reservation>;
  readonly releaseStock: UndoOf<'reserveStock', stock.Goods, stock.Reservation, unknown>;
  readonly findReservation: FindOf<'reserveStock', stock.Reservation>;
  readonly authorise: Act<'payments', payments.Payment, payments.Done>;
  readonly voidAuthorisation: UndoOf<'authorise', payments.Payment, payments.Done, payments.Done>;
  readonly findAuthorisation: FindOf<'authorise', payments.Done>;
  readonly findVoid: FindOf<'voidAuthorisation', payments.Done>;
  readonly capture: Act<'payments', { readonly authorisation: string }, payments.Done>;
  readonly findCapture: FindOf<'capture', payments.Done>;
  readonly ship: Act<'shipping', shipping.Shipment, shipping.Parcel>;
  readonly findParcel: FindOf<'ship', shipping.Parcel>;
}

const DAY_MS = 24 * 3_600_000;

/** What each provider has promised: how long it knows a key, and how late a call can still land. */
export const providers = {
  stock: { keyWindowMs: null, settlesMs: 2_000 },
  payments: { keyWindowMs: DAY_MS, settlesMs: 2_000 },
  shipping: { keyWindowMs: null, settlesMs: 2_000 },
};

type OnAnswer = (provider: string, answer: Answer) => void;

/** Binds every act to its provider; `url` is where all three are. */
export function createOrderActs(url: string, onAnswer: OnAnswer): OrderActs {
  const clientOf = (name: keyof typeof providers) =>
    createProviderClient({
      url: `${url}/${name}`,
      key: null,
      reuseConnections: true,
      onAnswer: (answer) => onAnswer(name, answer),
    });
  const at = {
    stock: clientOf('stock'),
    payments: clientOf('payments'),
    shipping: clientOf('shipping'),
  };
  return {
    reserveStock: stock.reserveStock(at.stock),
    releaseStock: stock.releaseStock(at.stock),
    findReservation: stock.findReservation(at.stock),
    authorise: payments.authorise(at.payments),
    voidAuthorisation: payments.voidAuthorisation(at.payments),
    findAuthorisation: payments.findAuthorisation(at.payments),
    findVoid: payments.findVoid(at.payments),
    capture: payments.capture(at.payments),
    findCapture: payments.findCapture(at.payments),
    ship: shipping.ship(at.shipping),
    findParcel: shipping.findParcel(at.shipping),
  };
}
