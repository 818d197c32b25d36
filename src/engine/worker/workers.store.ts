import type { Queryable } from '../database/database.js';

/** Says that a worker is alive, and which sagas it has as `saga@version`. */
export async function seeWorker(
  database: Queryable,
  id: string,
  versions: readonly string[],
): Promise<void> {
  await database.query(
    `insert into workers (id, versions) values ($1::text, $2::text[])
     on conflict (id) do update set seen_at = now(), versions = excluded.versions`,
    [id, versions],
  );
}

/** Takes a worker that has ended off the list. */
export async function forgetWorker(database: Queryable, id: string): Promise<void> {
  await database.query(`delete from workers where id = $1::text`, [id]);
}

/** Living runs of one version, as `saga@version`. */
export interface LackedRuns {
  readonly version: string;
  readonly count: number;
}

/** The runs that have not ended and whose version is none of these, by version. */
export async function runsLacking(
  database: Queryable,
  versions: readonly string[],
): Promise<readonly LackedRuns[]> {
  const { rows } = await database.query<LackedRuns>(
    `select runs.saga || '@' || runs.version as version, count(*)::integer as count
     from runs
     where runs.ended_at is null
       and runs.saga || '@' || runs.version <> all ($1::text[])
     group by 1
     order by 1`,
    [versions],
  );
  return rows;
}
