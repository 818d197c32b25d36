-- What Temporal must be told, written in the transaction that decided it.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('start', 'cancel', 'look')),
  run text not null references runs (id),
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  tries integer not null default 0,
  last_error text,
  sent_at timestamptz
);
create index outbox_to_send on outbox (next_at) where sent_at is null;
create index outbox_by_run on outbox (run) where sent_at is null;
-- A message that was sent is kept for a day, for whoever asks why, and then deleted.
create index outbox_sent on outbox (sent_at) where sent_at is not null;

-- Who is alive, with which sagas; a row that was not seen for a while counts for nothing.
create table workers (
  id text primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- Each as `saga@version`.
  versions text[] not null
);

-- A lease with a fencing number that only grows.
create table locks (
  name text primary key,
  holder text not null,
  until timestamptz not null,
  fence bigint not null default 1
);
