import type { Database } from './database.js';

export interface Listener {
  /** False once its connection is lost: then open another one. */
  readonly alive: boolean;
  close(): void;
}

/**
 * Calls `onNews` with the payload whenever a transaction that notified `channel` has committed. It
 * holds one connection of the pool. News are lost while it is not alive: who listens must poll too.
 */
export async function listenTo(
  database: Database,
  channel: `recourse_${string}`,
  onNews: (payload: string) => void,
): Promise<Listener> {
  const client = await database.connect();
  let alive = true;
  const hear = (notification: { payload?: string | undefined }) =>
    onNews(notification.payload ?? '');
  const close = () => {
    if (!alive) return;
    alive = false;
    client.removeListener('notification', hear);
    // Closed, not put back: the next user of the connection would hear the news.
    client.release(true);
  };
  client.on('notification', hear);
  client.once('error', close);
  client.once('end', close);
  try {
    await client.query(`listen ${channel}`);
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
