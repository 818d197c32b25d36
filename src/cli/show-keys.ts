import type { ApiKey } from '../engine/accounts/accounts.store.js';
import { table } from './table.js';
import { sayTime } from './words.js';

/** A key as JSON has it: what opens a door is not in it. */
export interface KeyView {
  readonly object: 'api_key';
  readonly id: string;
  readonly account: string;
  readonly role: string;
  readonly environment: string;
  readonly note: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** Presents a key as JSON has it. */
export function presentKey(key: ApiKey): KeyView {
  return {
    object: 'api_key',
    id: key.id,
    account: key.account,
    role: key.role,
    environment: key.environment,
    note: key.note,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

/** Keys as they are listed, one a line. */
export function showKeys(keys: readonly KeyView[]): string {
  if (keys.length === 0) return 'There is no key: npx recourse keys create makes one.';
  return table(
    ['key', 'account', 'role', 'env', 'created', 'last used', 'expires', 'revoked', 'note'],
    keys.map((key) => [
      key.id,
      key.account,
      key.role,
      key.environment,
      sayTime(key.created_at),
      sayTime(key.last_used_at),
      sayTime(key.expires_at),
      sayTime(key.revoked_at),
      key.note,
    ]),
  );
}
