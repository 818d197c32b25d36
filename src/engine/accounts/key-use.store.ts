import type { Queryable } from '../database/database.js';
import type { Caller } from './accounts.store.js';
import { givenKey, isSameHash, type GivenKey, type Role } from './api-key.js';

/** A caller, and how long that holds by the database's clock, in milliseconds. */
export interface FoundCaller {
  readonly caller: Caller;
  /** Infinity: until the key is revoked. */
  readonly leftMs: number;
}

/** Compared where there is no key, so that the answer takes as long. */
const NO_HASH = Buffer.alloc(32);

/** Whose key this is; null when it is not one, not the right one, revoked or expired. */
export async function findCaller(database: Queryable, key: string): Promise<Caller | null> {
  const given = givenKey(key);
  if (given === null) return null;
  return (await findByHash(database, given))?.caller ?? null;
}

/** Whose key this is, and for how long; null as `findCaller` has it. */
export async function findByHash(
  database: Queryable,
  { id, hash }: GivenKey,
): Promise<FoundCaller | null> {
  const { rows } = await database.query<Row>(
    `select account, role, hash, pinned_version as version,
       extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as left_ms
     from api_keys join accounts on accounts.id = account
     where api_keys.id = $1::text and revoked_at is null
       and (expires_at is null or expires_at > clock_timestamp())`,
    [id],
  );
  const [row] = rows;
  const isSame = isSameHash(hash, row?.hash ?? NO_HASH);
  if (row === undefined || !isSame) return null;
  const { account, role, version, left_ms: leftMs } = row;
  return { caller: { account, role, keyId: id, version }, leftMs: leftMs ?? Infinity };
}

interface Row {
  readonly account: string;
  readonly role: Role;
  readonly hash: Buffer;
  readonly version: string;
  /** Null: it does not expire. */
  readonly left_ms: number | null;
}

/** Those of the keys that are not valid any more. */
export async function endedKeys(
  database: Queryable,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id from unnest($1::text[]) as watched (id)
     where not exists (
       select from api_keys
       where api_keys.id = watched.id and revoked_at is null
         and (expires_at is null or expires_at > clock_timestamp()))`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/**
 * Writes down that these keys were used, at most once a minute a key however many processes say so.
 * It waits for nobody: what is locked is left to the next time.
 */
export async function noteUse(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query(
    `update api_keys set last_used_at = now()
     where id in (
       select id from api_keys
       where id = any($1::text[])
         and (last_used_at is null or last_used_at <= now() - interval '1 minute')
       for update skip locked)`,
    [ids],
  );
}
