import { newId } from '../../src/engine/ids.js';
import type { Queryable } from '../../src/engine/database/database.js';
import type { MessageKind } from '../../src/engine/outbox/outbox.store.js';

export interface RunRow {
  readonly ended?: boolean;
  /** When the sweep looks, from now; negative: it is due. @default an hour */
  readonly lookInMs?: number;
  /** The first wait, and the one that is over. @default a minute each */
  readonly firstWaitMs?: number;
  readonly waitMs?: number;
  readonly saga?: string;
}

/** Puts a bare run, without a journal, into the record and answers its id. */
export async function putRun(database: Queryable, row: RunRow = {}): Promise<string> {
  const id = newId('bk');
  await database.query(
    `insert into accounts (id, name) values ('acme', 'Acme') on conflict (id) do nothing`,
  );
  await database.query(
    `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms,
       look_at, state, ended_at)
     values ($1::text, 'acme', $2::text, 1, 1, '', $6::integer, $3::integer,
       case when not $5::boolean then now() + $4::integer * interval '1 millisecond' end,
       case when $5::boolean then 'completed' else 'running' end,
       case when $5::boolean then now() end)`,
    [
      id,
      row.saga ?? 'two-steps',
      row.waitMs ?? 60_000,
      row.lookInMs ?? 3_600_000,
      !!row.ended,
      row.firstWaitMs ?? 60_000,
    ],
  );
  return id;
}

/** Puts so many runs that go on into the record in one statement, as runs are accepted together. */
export async function putRuns(database: Queryable, count: number): Promise<void> {
  await database.query(
    `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms,
       look_at)
     select id, 'acme', 'two-steps', 1, 1, '', 60000, 60000, now() from unnest($1::text[]) as id`,
    [Array.from({ length: count }, () => newId('bk'))],
  );
}

export interface MessageRow {
  readonly run: string;
  readonly kind: MessageKind;
  readonly ageMs?: number;
  /** When it is due, from now. @default now */
  readonly dueInMs?: number;
  readonly tries?: number;
  readonly sent?: boolean;
}

/** Puts a message into the outbox and answers its id. */
export async function putMessage(database: Queryable, row: MessageRow): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into outbox (run, kind, created_at, next_at, sent_at, tries)
     values ($1::text, $2::text, now() - $3::integer * interval '1 millisecond',
       now() + $4::integer * interval '1 millisecond', case when $5::boolean then now() end,
       $6::integer)
     returning id`,
    [row.run, row.kind, row.ageMs ?? 60_000, row.dueInMs ?? 0, !!row.sent, row.tries ?? 0],
  );
  return rows[0]?.id ?? '';
}
