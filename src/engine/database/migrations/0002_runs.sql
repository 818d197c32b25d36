-- One row a run. The journal is the truth; the columns below `input` are its projection, written in
-- the same transaction as the lines they follow from, so that reading needs no saga definition.
create table runs (
  id text primary key check (id ~ '^[a-z]+_[a-z2-7]{26}$'),
  account text not null references accounts (id),
  saga text not null,
  version integer not null check (version > 0),
  rules integer not null check (rules > 0),
  reference text check (length(reference) between 1 and 200),
  -- Sealed: it holds names and addresses.
  input bytea not null,

  state text not null default 'running' check (state in
    ('running', 'undoing', 'needs_reconciliation',
     'completed', 'undone', 'cancelled', 'closed_by_hand')),
  direction text not null default 'forward' check (direction in ('forward', 'undo')),
  status text not null default 'pending' check (status in
    ('pending', 'confirmed', 'closed', 'cancelled', 'failed',
     'cancelling', 'in_review', 'failing')),
  steps jsonb not null default '[]',
  failure jsonb,
  remains jsonb not null default '[]',
  problem text,
  problem_step text,
  stuck_since timestamptz,
  last_seq integer not null default 0,

  -- The Temporal execution that may begin calls; null until the first one comes.
  execution text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deadline_at timestamptz,
  -- When the sweep looks whether somebody still works on it; null once the run has ended.
  look_at timestamptz,
  -- How long after its last news the first look is; each look that finds it alive doubles the wait.
  look_after_ms integer not null check (look_after_ms > 0),
  look_wait_ms integer not null check (look_wait_ms > 0),

  -- Cancel and pivot meet in this row: each names the other as null.
  cancel_requested_at timestamptz,
  pivot_begun_at timestamptz,
  unwinding_because text check (unwinding_because in ('cancel', 'refused', 'deadline', 'person')),
  ended_at timestamptz,

  check (cancel_requested_at is null or pivot_begun_at is null),
  check ((ended_at is null) = (state in ('running', 'undoing', 'needs_reconciliation'))),
  check ((ended_at is null) = (look_at is not null))
);
-- At most one booking a reference that is not failed, cancelled, or closed with nothing remaining.
create unique index runs_by_reference on runs (account, reference)
  where reference is not null
    and status not in ('failed', 'cancelled')
    and not (status = 'closed' and remains = '[]'::jsonb);
create index runs_by_account on runs (account, created_at desc, id desc);
create index runs_to_look_at on runs (look_at) where look_at is not null;
create index runs_alive_by_version on runs (saga, version) where ended_at is null;

-- Append-only: each line is written in the transaction of what it reports.
create table journal (
  run text not null references runs (id),
  seq integer not null check (seq > 0),
  at timestamptz not null default clock_timestamp(),
  line jsonb not null,
  primary key (run, seq)
);

-- One row a key. A closed key lets nothing through any more: the tombstone of the step.
create table step_keys (
  run text not null references runs (id),
  step text not null,
  direction text not null check (direction in ('do', 'undo')),
  key text not null unique,
  -- Sealed; computed once by the first attempt, read by the later ones, by find and by the undo.
  input bytea,
  value bytea,
  provider_id text,
  -- What the provider's promise for its key is counted from.
  first_sent_at timestamptz,
  asked_at timestamptz,
  asked integer not null default 0,
  closed_at timestamptz,
  primary key (run, step, direction)
);

-- One row an attempt, written before the call; only a process that died leaves `sending`.
create table attempts (
  run text not null,
  step text not null,
  direction text not null,
  attempt integer not null check (attempt > 0),
  state text not null check (state in ('sending', 'done', 'refused', 'again', 'unknown')),
  -- Names the `begin` that wrote the row, so that a lost answer to its commit can be told.
  token uuid not null,
  began_at timestamptz not null default clock_timestamp(),
  send_by timestamptz not null,
  ended_at timestamptz,
  detail text,
  provider_id text,
  worker text not null,
  primary key (run, step, direction, attempt),
  foreign key (run, step, direction) references step_keys (run, step, direction),
  check ((state = 'sending') = (ended_at is null))
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: a correction is a new row', tg_table_name;
end
$$;
create trigger journal_is_append_only before update or delete on journal
  for each row execute function refuse_change();
create trigger journal_is_never_emptied before truncate on journal
  for each statement execute function refuse_change();
