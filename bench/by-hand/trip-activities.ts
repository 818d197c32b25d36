import { callProvider, type ProviderUrls } from './provider-call.client.js';
import type { Person, Receipt, TripActivities } from './trip-types.js';

/**
 * The activities of the trip, and what takes them back. A compensation is registered before its
 * act, so it may run for an act that never happened: it asks the provider by key first, and does
 * nothing where there is nothing.
 */
export function tripActivities(at: ProviderUrls): TripActivities {
  const post = (url: string, key: string, body: Record<string, unknown>) =>
    callProvider({ method: 'POST', url, key, body: { ...body, reference: key } });
  const list = async (url: string, key: string): Promise<readonly Thing[]> => {
    const query = new URLSearchParams({ reference: key }).toString();
    return thingsIn(await callProvider({ method: 'GET', url: `${url}?${query}`, key }));
  };
  return {
    chargeCard: async (key, payment) => idIn(await post(`${at.payments}/charges`, key, payment)),
    refundCard: async (key, undoKey, amount) => {
      for (const { id } of await list(`${at.payments}/charges`, key)) {
        await post(`${at.payments}/refunds`, undoKey, { charge: id, amount });
      }
    },
    holdSeat: async (key, offer, traveller) =>
      idIn(await post(`${at.flights}/orders`, key, { offer, traveller })),
    releaseSeat: async (key, undoKey) => {
      for (const { id, status } of await list(`${at.flights}/orders`, key)) {
        if (status !== 'cancelled') await post(`${at.flights}/orders/${id}/cancel`, undoKey, {});
      }
    },
    reserveRoom: async (key, offer, nights, guest: Person) =>
      idIn(await post(`${at.hotels}/reservations`, key, { offer, nights, guest })),
    releaseRoom: async (undoKey, reservation) => {
      const url = `${at.hotels}/reservations/${reservation}`;
      await callProvider({ method: 'DELETE', url, key: undoKey });
    },
    issueTicket: async (key, order) => {
      const answer = await post(`${at.flights}/orders/${order}/ticket`, key, {});
      return textIn(answer, 'ticket');
    },
    sendReceipt: async (key, to, data: Receipt) =>
      idIn(await post(`${at.messages}/messages`, key, { to, kind: 'receipt', data })),
  };
}

interface Thing {
  readonly id: string;
  readonly status: string;
}

function thingsIn(answer: unknown): readonly Thing[] {
  return (answer as { readonly data: readonly Thing[] }).data;
}

function idIn(answer: unknown): string {
  return textIn(answer, 'id');
}

function textIn(answer: unknown, member: string): string {
  const text = (answer as Readonly<Record<string, unknown>>)[member];
  if (typeof text !== 'string') throw new Error(`the answer has no ${member}`);
  return text;
}
