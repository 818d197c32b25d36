/** What a trip is booked with, as the front takes it and the workflow gets it. */
export interface TripOrder {
  readonly traveller: Person;
  readonly flight: { readonly offer: string };
  readonly hotel: { readonly offer: string; readonly nights: number };
  readonly payment: { readonly amount: number; readonly currency: string; readonly source: string };
}

export interface Person {
  readonly name: string;
  readonly email: string;
}

export interface Receipt {
  readonly total: { readonly amount: number; readonly currency: string };
  readonly charge: string;
  readonly order: string;
  readonly ticket: string;
  readonly reservation: string;
}

/** Keys are made by the workflow: the id of the workflow, and the step. */
export interface TripActivities {
  chargeCard(key: string, payment: TripOrder['payment']): Promise<string>;
  refundCard(key: string, undoKey: string, amount: number): Promise<void>;
  holdSeat(key: string, offer: string, traveller: Person): Promise<string>;
  releaseSeat(key: string, undoKey: string): Promise<void>;
  reserveRoom(key: string, offer: string, nights: number, guest: Person): Promise<string>;
  releaseRoom(undoKey: string, reservation: string): Promise<void>;
  issueTicket(key: string, order: string): Promise<string>;
  sendReceipt(key: string, to: string, data: Receipt): Promise<string>;
}
