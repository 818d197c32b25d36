import { Client } from 'pg';

/**
 * Holds an Idempotency-Key of every account as a request does whose transaction is open, for as
 * long as it is wanted: who asks under it meanwhile is told that it is in progress.
 */
export async function holdKey(databaseUrl: string, key: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `select pg_advisory_lock(hashtextextended('claim:' || encode(substr(
       sha256(convert_to(id || ':' || $1::text, 'utf8')), 1, 16), 'hex')::uuid, 0))
     from accounts`,
    [key],
  );
  return () => client.end();
}
