import pg from 'pg';

/** How much the claims take, tables and indexes together. */
export interface ClaimsSize {
  readonly rows: number;
  readonly bytes: number;
}

/** A location as a booking has it, and an account of usual length. */
const LOCATION = `/v1/bookings/bk_${'a'.repeat(26)}`;
const ACCOUNT = 'acme-travel';
const BATCH = 100_000;

/**
 * Empties the table and fills it with claims whose sealed answers have these many bytes, spread
 * over the days of the window, in the order in which they would come: by no order of their ids.
 */
export async function fillClaims(
  client: pg.Client,
  wishes: { readonly rows: number; readonly sealedBytes: number; readonly days: number },
): Promise<ClaimsSize> {
  await client.query('truncate claims');
  for (let done = 0; done < wishes.rows; done += BATCH) {
    await client.query(
      `insert into claims (expires_at, id, status, fingerprint, account, location, body)
       select now() + (n % $3::integer) * interval '24 hours' + interval '1 minute',
         gen_random_uuid(), 202, sha256(n::text::bytea), $4::text, $5::text,
         '\\x01'::bytea || convert_to(repeat('x', $2::integer - 1), 'UTF8')
       from generate_series(1, $1::integer) as n`,
      [Math.min(BATCH, wishes.rows - done), wishes.sealedBytes, wishes.days, ACCOUNT, LOCATION],
    );
  }
  await client.query('vacuum analyze claims');
  const { rows } = await client.query<{ rows: string; bytes: string }>(
    `select (select count(*) from claims) as rows, sum(pg_total_relation_size(inhrelid)) as bytes
     from pg_inherits where inhparent = 'claims'::regclass`,
  );
  return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) };
}

/** Opens one connection of the bench's own. */
export async function openFiller(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
