import pg from 'pg';

/** Why no Postgres answers there, `undefined` when one does; while it recovers it does not. */
export async function postgresProblem(url: string): Promise<string | undefined> {
  try {
    await withClient(url, (client) => client.query('select 1'));
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return message || code || 'it does not say why';
  }
}

/** Makes a database if it is missing. Safe to run again. `name` is one of ours, never input. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1::text', [name]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  });
}

/** Makes a database as a copy of another one that nobody is connected to. */
export async function cloneDatabase(adminUrl: string, from: string, name: string): Promise<void> {
  const [source, copy] = [pg.escapeIdentifier(from), pg.escapeIdentifier(name)];
  await withClient(adminUrl, (client) =>
    client.query(`create database ${copy} template ${source} strategy file_copy`),
  );
}

/** Drops a database, together with the sessions that are still in it. Safe to run again. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, (client) =>
    client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  );
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that goes down while we talk reports it twice; the query's own error is enough.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
