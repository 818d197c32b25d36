import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putRun } from '../support/run-rows.js';

// A migration that changes rows is tried on rows: those of calls that a person may say "again" of.

const MIGRATION = readFileSync(
  new URL('../../src/engine/database/migrations/0007_keys_to_send_again.sql', import.meta.url),
  'utf8',
);
let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'migration test' });
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

interface Desk {
  readonly problem: string;
  readonly verdict: string | null;
  readonly ended: boolean;
}

async function isOpenAfterwards({ problem, verdict, ended }: Desk): Promise<boolean> {
  const run = await putRun(database, { ended });
  await database.query(
    `insert into step_keys (run, step, direction, key, closed_at)
     values ($1::text, 'pay', 'undo', $1::text || ':pay:undo', now())`,
    [run],
  );
  await database.query(
    `insert into cases (id, run, step, direction, problem, state, verdict, closed_at)
     values ($1::text, $2::text, 'pay', 'undo', $3::text,
       case when $4::text is null then 'open' else 'resolved' end, $4::text,
       case when $4::text is not null then now() end)`,
    [newId('case'), run, problem, verdict],
  );
  await database.query(MIGRATION);
  const { rows } = await database.query<{ open: boolean }>(
    `select closed_at is null as open from step_keys where run = $1::text`,
    [run],
  );
  return rows[0]?.open === true;
}

const desks: readonly (readonly [what: string, desk: Desk, opens: boolean])[] = [
  ['waits for a person', { problem: 'undo-stuck', verdict: null, ended: false }, true],
  ['was told "again"', { problem: 'undo-stuck', verdict: 'did-not-happen', ended: false }, true],
  ['was told otherwise', { problem: 'undo-stuck', verdict: 'left-as-is', ended: false }, false],
  ['is another matter', { problem: 'unknown-outcome', verdict: null, ended: false }, false],
  ['is of a run that is over', { problem: 'undo-stuck', verdict: null, ended: true }, false],
];
test.each(desks)('the closed key of a call that %s', async (_what, desk, opens) => {
  expect(await isOpenAfterwards(desk)).toBe(opens);
});
