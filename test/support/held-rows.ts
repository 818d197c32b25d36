import type { Pool, PoolClient } from 'pg';

/** Holds the row of a run as somebody else's long transaction would. */
export async function lockRun(db: Pool, id: string): Promise<PoolClient> {
  const client = await db.connect();
  await client.query('begin');
  await client.query('select from runs where id = $1 for update', [id]);
  return client;
}

/** Lets go of the row. */
export async function unlock(client: PoolClient): Promise<void> {
  await client.query('rollback');
  client.release();
}

/** How many sessions of the worker wait for a row that somebody else holds. */
export async function waitingForRows(db: Pool): Promise<number> {
  const { rows } = await db.query(
    `select count(*)::integer as waiting from pg_stat_activity
     where datname = current_database() and application_name = 'recourse-worker'
       and wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}
