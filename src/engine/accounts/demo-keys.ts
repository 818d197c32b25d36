import { widenLimits } from './account-limits.store.js';
import { inTransaction, openDatabase, type Tx } from '../database/database.js';
import { createKey, ensureAccount, revokeNoted } from './accounts.store.js';
import { TEST, type Role } from './api-key.js';
import { findCaller } from './key-use.store.js';

export interface DemoKeys {
  readonly customer: string;
  readonly operator: string;
}

const DEMO_ACCOUNT = { id: 'demo', name: 'Demo' };
const NOTE = 'local start';

/** Whoever tries it out alone on a machine shall meet the limits of the machine, and not ours. */
const WIDE = {
  readsPerWindow: 10_000_000,
  writesPerWindow: 10_000_000,
  activeRuns: 10_000_000,
};

/**
 * Makes the account `demo` and a key of each role. A key of `existing` that is still valid is kept,
 * so that a restart changes nothing; those that were made before in its place are revoked. Safe to
 * run again after a crash: at worst a key that nobody knows is left over until then.
 */
export async function ensureDemoKeys(databaseUrl: string, existing?: DemoKeys): Promise<DemoKeys> {
  const database = openDatabase({ url: databaseUrl, name: 'recourse-demo-keys', connections: 1 });
  try {
    return await inTransaction(database, async (tx) => {
      await ensureAccount(tx, DEMO_ACCOUNT);
      await widenLimits(tx, DEMO_ACCOUNT.id, WIDE);
      return {
        customer: await keep(tx, 'customer', existing?.customer),
        operator: await keep(tx, 'operator', existing?.operator),
      };
    });
  } finally {
    await database.end();
  }
}

async function keep(tx: Tx, role: Role, existing: string | undefined): Promise<string> {
  const caller = existing === undefined ? null : await findCaller(tx, existing);
  if (existing !== undefined && caller?.account === DEMO_ACCOUNT.id && caller.role === role) {
    return existing;
  }
  const owner = { account: DEMO_ACCOUNT.id, role, note: NOTE };
  await revokeNoted(tx, owner);
  const { key } = await createKey(tx, { ...owner, environment: TEST });
  return key;
}
