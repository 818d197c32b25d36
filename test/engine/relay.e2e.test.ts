import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { startOwnPostgres, spawnPart, type OwnPostgres, type Part } from '../support/processes.js';
import { putMessage, putRun } from '../support/run-rows.js';
import { freshNamespace, startOwnTemporal, type OwnTemporal } from '../support/temporal.js';

// The relay as it is run, against servers that die. No worker: an execution runs until it is ended.

const LIMIT = { limitMs: 60_000, everyMs: 100 };
const FIRST_WAIT_MS = 1_000;

let postgres: OwnPostgres;
let temporal: OwnTemporal;
let database: Database;
let client: Client;
let relay: Part | undefined;

beforeAll(async () => {
  [postgres, temporal] = await Promise.all([startOwnPostgres(), startOwnTemporal({ dbFile: true })]);
  await runMigrations(postgres.url);
  database = openDatabase({ url: postgres.url, name: 'relay test' });
});
beforeEach(() => {
  relay = undefined;
});
afterAll(async () => {
  await database.end();
  await Promise.all([postgres.stop(), temporal.stop()]);
});

async function startRelay(): Promise<Part> {
  return spawnPart('relay', {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    RECOURSE_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    RECOURSE_START_GRACE_MS: '100',
  });
}
