import type { Queryable, Tx } from '../database/database.js';
import { RECOURSE_VERSION } from '../http/recourse-version.js';
import { LIVE, newApiKey, type Role } from './api-key.js';

/** Who makes a request. */
export interface Caller {
  readonly account: string;
  readonly role: Role;
  /** Id of the key: what is written beside an action, never the key. */
  readonly keyId: string;
  /** The version of the interface that the account gets when a request names none. */
  readonly version: string;
}

/** A key as it is listed: its secret is not kept. */
export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly role: Role;
  readonly environment: string;
  readonly note: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** To the minute; null: not since this is written down. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** What a key is to be. */
export interface KeyWish {
  readonly account: string;
  readonly role: Role;
  readonly note?: string;
  readonly environment?: string;
  /** How long it is valid, in milliseconds; null: until it is revoked. */
  readonly lifeMs?: number | null;
}

/** A key, this once. */
export interface MadeKey {
  readonly id: string;
  readonly key: string;
  readonly expiresAt: Date | null;
}

/** Thrown for an account that is not there. */
export class UnknownAccount extends Error {
  constructor(readonly account: string) {
    super(`there is no account ${account}`);
    this.name = 'UnknownAccount';
  }
}

/** Thrown where an account has two keys of a role already. */
export class TooManyKeys extends Error {
  override readonly name = 'TooManyKeys';

  constructor(
    readonly account: string,
    readonly role: Role,
  ) {
    super(`${account} has two valid ${role} keys already: revoke one of them first`);
  }
}

/**
 * Makes an account, pinned to the interface as it is now; one that is there already stays as it is.
 * Safe to run again.
 */
export async function ensureAccount(
  database: Queryable,
  account: { readonly id: string; readonly name: string },
): Promise<void> {
  await database.query(
    `insert into accounts (id, name, pinned_version) values ($1::text, $2::text, $3::text)
     on conflict (id) do nothing`,
    [account.id, account.name, RECOURSE_VERSION],
  );
}

/** Two that come at once may want one place; each other round has one of them in it. */
const ROUNDS = 3;

/**
 * Makes a key and answers it: it is shown now or never. An account has at most two valid keys of a
 * role, however many ask at once. Throws UnknownAccount, TooManyKeys.
 */
export async function createKey(database: Queryable, wish: KeyWish): Promise<MadeKey> {
  const { account, role, note = '', environment = LIVE, lifeMs = null } = wish;
  await freePlaces(database, account, role);
  const { id, key, hash } = newApiKey(environment);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { rows } = await database.query<{ made: boolean; expires_at: Date | null }>(
      `with made as (
         insert into api_keys (id, account, role, hash, note, environment, expires_at, slot)
         select $1::text, accounts.id, $3::text, $4::bytea, $5::text, $6::text,
           date_trunc('milliseconds', now() + $7::bigint * interval '1 millisecond'), place
         from accounts cross join (values (1), (2)) as places (place)
         where accounts.id = $2::text and not exists (
           select from api_keys
           where account = $2::text and role = $3::text and slot = place)
         order by place limit 1
         on conflict (account, role, slot) do nothing
         returning id, expires_at)
       select made.expires_at, made.id is not null as made
       from accounts left join made on true
       where accounts.id = $2::text`,
      [id, account, role, hash, note, environment, lifeMs],
    );
    const [row] = rows;
    if (row === undefined) throw new UnknownAccount(account);
    if (row.made) return { id, key, expiresAt: row.expires_at };
  }
  throw new TooManyKeys(account, role);
}

/** Keys that are revoked or over leave their place to new ones. */
async function freePlaces(database: Queryable, account: string, role: Role): Promise<void> {
  await database.query(
    `update api_keys set slot = null
     where account = $1::text and role = $2::text and slot is not null
       and (revoked_at is not null or expires_at <= now())`,
    [account, role],
  );
}

/** The key that takes over, and the one that it takes over from. */
export interface Rotation {
  readonly made: MadeKey;
  readonly of: Pick<ApiKey, 'account' | 'role' | 'environment' | 'note'>;
  readonly old: { readonly id: string; readonly expiresAt: Date };
}

/**
 * Makes a key like another one, which ends after `overlapMs`, or earlier if it would have anyway;
 * null where no valid key has this id. Both happen or neither. Throws TooManyKeys.
 */
export async function rotateKey(
  tx: Tx,
  id: string,
  { overlapMs, lifeMs }: { readonly overlapMs: number; readonly lifeMs: number | null },
): Promise<Rotation | null> {
  const { rows } = await tx.query<Rotation['of'] & { expires_at: Date }>(
    `update api_keys
     set expires_at = least(expires_at,
       date_trunc('milliseconds', now() + $2::bigint * interval '1 millisecond'))
     where id = $1::text and revoked_at is null and (expires_at is null or expires_at > now())
     returning account, role, environment, note, expires_at`,
    [id, overlapMs],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { expires_at: expiresAt, ...of } = row;
  return { made: await createKey(tx, { ...of, lifeMs }), of, old: { id, expiresAt } };
}

/** The keys of one account, or of all, the oldest first; those that are over too. */
export async function listKeys(
  database: Queryable,
  account: string | null,
): Promise<readonly ApiKey[]> {
  const { rows } = await database.query<ApiKey>(
    `select id, account, role, environment, note, created_at as "createdAt",
       expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
     from api_keys where $1::text is null or account = $1::text
     order by created_at, id`,
    [account],
  );
  return rows;
}

/**
 * Ends the use of a key for good. Processes that have let it in hear of it within 20 s. Answers
 * `unchanged` for one that was revoked before, and `unknown` for an id that no key has.
 */
export async function revokeKey(
  database: Queryable,
  id: string,
): Promise<'revoked' | 'unchanged' | 'unknown'> {
  const { rows } = await database.query<{ changed: boolean }>(
    `with revoked as (
       update api_keys set revoked_at = now()
       where id = $1::text and revoked_at is null returning id
     )
     select exists (select from revoked) as changed from api_keys where id = $1::text`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return 'unknown';
  return row.changed ? 'revoked' : 'unchanged';
}

/** Revokes the valid keys of an account and role that bear this note. Safe to run again. */
export async function revokeNoted(
  database: Queryable,
  of: { readonly account: string; readonly role: Role; readonly note: string },
): Promise<void> {
  await database.query(
    `update api_keys set revoked_at = now()
     where account = $1::text and role = $2::text and note = $3::text and revoked_at is null`,
    [of.account, of.role, of.note],
  );
}
