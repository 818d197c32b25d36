import { askJson } from './json.client.js';
import type { TripMaker } from './trip-maker.js';

/** Starts a workflow through the front by hand, and answers when its result is there. */
export function byHandTrip(front: string, path: string, order: unknown): TripMaker {
  return async () => {
    const { id } = await askJson('POST', `${front}${path}`, {}, order);
    await askJson('GET', `${front}${path}/${String(id)}`, {});
    return { id: String(id) };
  };
}
