import { randomUUID } from 'node:crypto';
import { TRIP } from '../trip.js';
import type { Ends } from './ends.client.js';
import { askJson } from './json.client.js';
import type { TripMaker } from './trip-maker.js';

/** Books a trip as a customer does, waits for the confirmation, and then for the run's end. */
export function engineTrip(
  api: { readonly url: string; readonly key: string },
  ends: Ends,
): TripMaker {
  const authorization = `Bearer ${api.key}`;
  return async () => {
    const headers = { authorization, 'idempotency-key': randomUUID() };
    const { id } = await askJson('POST', `${api.url}/v1/bookings`, headers, TRIP);
    const url = `${api.url}/v1/bookings/${String(id)}`;
    let status: unknown = 'pending';
    while (status === 'pending') {
      ({ status } = await askJson('GET', url, { authorization, prefer: 'wait=30' }));
    }
    if (status !== 'confirmed') throw new Error(`${String(id)} is ${String(status)}`);
    const confirmedAt = performance.now();
    await ends.of(String(id));
    return { id: String(id), confirmedAt };
  };
}
