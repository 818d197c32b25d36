import pg from 'pg';

/** Tells when runs have ended, at the price of about one small query a trip. */
export interface Ends {
  /** Resolves when the run has ended. */
  of(run: string): Promise<void>;
  close(): Promise<void>;
}

/** News may come before the run is asked for, so what is waited for is looked at now and then. */
const LOOK_MS = 100;

/**
 * Listens to the news of all runs. A booking is confirmed before its receipt is sent, and nothing
 * in the API waits for more than the confirmation; so the end is looked up where it is written.
 */
export async function watchEnds(databaseUrl: string): Promise<Ends> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A server that goes down reports it twice; the query's own error is enough.
  client.on('error', () => undefined);
  await client.connect();
  const waiting = new Map<string, () => void>();
  let looking = false;
  let again = false;
  const look = async (): Promise<void> => {
    again = waiting.size > 0;
    if (looking || !again) return;
    looking = true;
    while (again) {
      again = false;
      const ended = await client.query<{ id: string }>(
        'select id from runs where id = any($1::text[]) and ended_at is not null',
        [[...waiting.keys()]],
      );
      for (const { id } of ended.rows) {
        waiting.get(id)?.();
        waiting.delete(id);
      }
    }
    looking = false;
  };
  client.on('notification', ({ payload }) => {
    if (payload !== undefined && waiting.has(payload)) void look();
  });
  await client.query('listen recourse_runs');
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    of: (run) =>
      new Promise((resolve) => {
        waiting.set(run, resolve);
        void look();
      }),
    close: async () => {
      clearInterval(timer);
      await client.end();
    },
  };
}
