import type { Queryable } from '../database/database.js';
import { isSameKey, keyId, newApiKey, type Role } from './api-key.js';

/** Who makes a request. */
export interface Caller {
  readonly account: string;
  readonly role: Role;
  /** Id of the key: what is written beside an action, never the key. */
  readonly keyId: string;
}

/** A key as it is listed: its secret is not kept. */
export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly role: Role;
  readonly note: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** Thrown for an account that is not there. */
export class UnknownAccount extends Error {
  constructor(readonly account: string) {
    super(`there is no account ${account}`);
    this.name = 'UnknownAccount';
  }
}

/** Makes an account; one that is there already stays as it is. Safe to run again. */
export async function ensureAccount(
  database: Queryable,
  account: { readonly id: string; readonly name: string },
): Promise<void> {
  await database.query(
    `insert into accounts (id, name) values ($1::text, $2::text) on conflict (id) do nothing`,
    [account.id, account.name],
  );
}

/** Makes a key and answers it: it is shown now or never. Throws UnknownAccount. */
export async function createKey(
  database: Queryable,
  owner: { readonly account: string; readonly role: Role; readonly note?: string },
): Promise<{ readonly id: string; readonly key: string }> {
  const { id, key, hash } = newApiKey();
  const { rowCount } = await database.query(
    `insert into api_keys (id, account, role, hash, note)
     select $1::text, accounts.id, $3::text, $4::bytea, $5::text
     from accounts where accounts.id = $2::text`,
    [id, owner.account, owner.role, hash, owner.note ?? ''],
  );
  if (rowCount !== 1) throw new UnknownAccount(owner.account);
  return { id, key };
}

interface KeyRow {
  id: string;
  account: string;
  role: Role;
  note: string;
  created_at: Date;
  revoked_at: Date | null;
}

/** The keys of one account, or of all, the oldest first; the revoked ones too. */
export async function listKeys(
  database: Queryable,
  account: string | null,
): Promise<readonly ApiKey[]> {
  const { rows } = await database.query<KeyRow>(
    `select id, account, role, note, created_at, revoked_at
     from api_keys where $1::text is null or account = $1::text
     order by created_at, id`,
    [account],
  );
  return rows.map((row) => ({
    id: row.id,
    account: row.account,
    role: row.role,
    note: row.note,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }));
}

/**
 * Ends the use of a key at once, for good. Answers `unchanged` for one that was revoked before, and
 * `unknown` for an id that no key has.
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

/** Whose key this is; null when it is not one, not the right one, or revoked. */
export async function findCaller(database: Queryable, key: string): Promise<Caller | null> {
  const id = keyId(key);
  if (id === null) return null;
  const { rows } = await database.query<{ account: string; role: Role; hash: Buffer }>(
    `select account, role, hash from api_keys where id = $1::text and revoked_at is null`,
    [id],
  );
  const [row] = rows;
  if (row === undefined || !isSameKey(key, row.hash)) return null;
  return { account: row.account, role: row.role, keyId: id };
}
