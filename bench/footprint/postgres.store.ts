import pg from 'pg';

/** What the database of the installation holds and has done so far. */
export interface DatabaseState {
  readonly rows: Readonly<Record<string, number>>;
  /** Tables with their indexes and what is stored beside them. */
  readonly bytes: number;
  readonly walBytes: number;
  readonly transactions: number;
}

export interface Statement {
  readonly calls: number;
  readonly totalMs: number;
  readonly query: string;
}

/** A look into Postgres that is not part of what is measured. */
export interface DatabaseLook {
  state(): Promise<DatabaseState>;
  /** Forgets which statements were made. */
  forgetStatements(): Promise<void>;
  /** The statements since then, the most expensive first. */
  statements(most: number): Promise<readonly Statement[]>;
  version(): Promise<string>;
  close(): Promise<void>;
}

/** A backend writes down what it did at most once in a second, and when it falls idle. */
export const STATISTICS_LAG_MS = 1_500;

/** The statements of this file. */
const OUR_LOOKS = 'pg_stat|pg_total_relation_size|^select count\\(\\*\\) from "|^show ';

/** Opens one connection to look through. */
export async function openLook(databaseUrl: string): Promise<DatabaseLook> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A server that goes down reports it twice; the query's own error is enough.
  client.on('error', () => undefined);
  await client.connect();
  return {
    state: () => stateOf(client),
    forgetStatements: async () => {
      await client.query('create extension if not exists pg_stat_statements');
      await client.query('select pg_stat_statements_reset()');
    },
    statements: async (most) => {
      const found = await client.query<{ calls: string; total: number; query: string }>(
        `select calls, total_exec_time + total_plan_time as total, query
         from pg_stat_statements
         where query !~ $2::text
         order by 2 desc limit $1::integer`,
        [most, OUR_LOOKS],
      );
      return found.rows.map(({ calls, total, query }) => ({
        ...{ calls: Number(calls), totalMs: total },
        query: query.replaceAll(/\s+/g, ' ').trim(),
      }));
    },
    version: async () => {
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version ?? 'unknown';
    },
    close: () => client.end(),
  };
}

async function stateOf(client: pg.Client): Promise<DatabaseState> {
  const sizes = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(relid) as bytes from pg_stat_user_tables`,
  );
  const rows: Record<string, number> = {};
  for (const { name } of sizes.rows) {
    const table = pg.escapeIdentifier(name);
    const counted = await client.query<{ count: string }>(`select count(*) from ${table}`);
    rows[name] = Number(counted.rows[0]?.count);
  }
  const totals = await client.query<{ wal: string; done: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal, xact_commit as done
     from pg_stat_database where datname = current_database()`,
  );
  return {
    rows,
    bytes: sizes.rows.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    walBytes: Number(totals.rows[0]?.wal),
    transactions: Number(totals.rows[0]?.done),
  };
}
