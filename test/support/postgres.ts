import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { cloneDatabase, dropDatabase } from '../../src/local/local-postgres.store.js';
import { TEMPLATE_DATABASE } from './provided.js';

export interface TestDatabase {
  readonly url: string;
  /** Drops it, with the sessions that are still in it. */
  drop(): Promise<void>;
}

/**
 * A migrated database of one's own on the shared Postgres: a copy of the template, made in about
 * 40 ms. For the projects `postgres` and `whole`.
 */
export async function freshDatabase(): Promise<TestDatabase> {
  return copyOf(inject('postgresAdminUrl'), TEMPLATE_DATABASE);
}

async function copyOf(adminUrl: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await cloneDatabase(adminUrl, template, name);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(adminUrl, name) };
}
