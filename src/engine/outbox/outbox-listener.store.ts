import type { Database } from '../database/database.js';
import { OUTBOX_CHANNEL } from './outbox.store.js';

export interface Listener {
  /** False once its connection is lost: then open another one. */
  readonly alive: boolean;
  close(): void;
}

/**
 * Calls `onNews` whenever a transaction that called `notifyOutbox` has committed. It holds one
 * connection of the pool. News are lost while it is not alive: who listens must poll too.
 */
export async function listenToOutbox(database: Database, onNews: () => void): Promise<Listener> {
  const client = await database.connect();
  let alive = true;
  const close = () => {
    if (!alive) return;
    alive = false;
    client.removeListener('notification', onNews);
    // Closed, not put back: the next user of the connection would hear the news.
    client.release(true);
  };
  client.on('notification', onNews);
  client.once('error', close);
  client.once('end', close);
  try {
    await client.query(`listen ${OUTBOX_CHANNEL}`);
  } catch (error) {
    close();
    throw error;
  }
  return {
    get alive() {
      return alive;
    },
    close,
  };
}
