import type { Queryable } from '../../src/engine/database/database.js';

/** Our tables, and neither their parts nor the one in which the migrations are counted. */
const TABLES = `
  select tables.oid, tables.relname as name, pg_get_partkeydef(tables.oid) as partitions
  from pg_class as tables join pg_namespace as schemas on schemas.oid = tables.relnamespace
  where schemas.nspname = 'public' and tables.relkind in ('r', 'p')
    and tables.relname <> 'schema_migrations' and not tables.relispartition
  order by tables.relname`;

const COLUMNS = `
  select format('  %s %s%s%s', attname, format_type(atttypid, atttypmod),
           case when attnotnull then ' not null' else '' end,
           case when attidentity = 'a' then ' generated always as identity'
                else coalesce(' default ' || pg_get_expr(adbin, adrelid), '') end) as line
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = $1::oid and attnum > 0 and not attisdropped
  order by attnum`;

const CONSTRAINTS = `
  select format('  constraint %s %s', conname, pg_get_constraintdef(oid)) as line
  from pg_constraint where conrelid = $1::oid and contype <> 'n' order by conname`;

const INDEXES = `
  select pg_get_indexdef(indexrelid) || ';' as line
  from pg_index where indrelid = $1::oid and not exists (
    select from pg_constraint where conindid = indexrelid and conrelid = $1::oid)
  order by 1`;

const TRIGGERS = `
  select pg_get_triggerdef(oid) || ';' as line
  from pg_trigger where tgrelid = $1::oid and not tgisinternal order by tgname`;

const LOCKS = `
  select format('alter table %s enable row level security;', relname) as line
  from pg_class where oid = $1::oid and relrowsecurity
  union all
  select format('create policy %s on %s%s using (%s)%s;', polname, polrelid::regclass,
           case when polcmd = '*' then '' else format(' for %s', polcmd) end,
           pg_get_expr(polqual, polrelid),
           ' with check (' || pg_get_expr(polwithcheck, polrelid) || ')')
  from pg_policy where polrelid = $1::oid
  union all
  select format('grant %s on %s to %s;', string_agg(lower(privilege_type), ', '
           order by privilege_type), $1::oid::regclass, grantee::regrole)
  from pg_class, aclexplode(relacl)
  where pg_class.oid = $1::oid and grantee <> relowner group by grantee`;

/**
 * What the migrations come to, table by table, as Postgres itself tells it: one place to read what
 * the database holds, and to see in a diff what a new migration changes.
 */
export async function dumpSchema(database: Queryable): Promise<string> {
  const { rows: tables } = await database.query<Table>(TABLES);
  const parts: string[] = [];
  for (const { oid, name, partitions } of tables) {
    const lines = async (query: string): Promise<readonly string[]> =>
      (await database.query<{ line: string }>(query, [oid])).rows.map(({ line }) => line);
    const inside = [...(await lines(COLUMNS)), ...(await lines(CONSTRAINTS))];
    const beside = [...(await lines(INDEXES)), ...(await lines(TRIGGERS)), ...(await lines(LOCKS))];
    parts.push(
      [
        `create table ${name} (`,
        inside.join(',\n'),
        partitions === null ? ');' : `) partition by ${partitions};`,
        ...beside,
        '',
      ].join('\n'),
    );
  }
  return parts.join('\n');
}

interface Table {
  readonly oid: number;
  readonly name: string;
  /** By what it is parted; null: it is not. */
  readonly partitions: string | null;
}
