-- Something a person must decide. `facts` holds names and numbers only.
create table cases (
  id text primary key check (id ~ '^case_[a-z2-7]{26}$'),
  run text not null references runs (id),
  step text not null,
  direction text not null check (direction in ('do', 'undo')),
  problem text not null check (problem in
    ('unknown-outcome', 'undo-stuck', 'forward-stuck', 'found-differs', 'nothing-to-undo',
     'key-window-passed', 'contradiction')),
  state text not null default 'open' check (state in ('open', 'resolved', 'settled')),
  -- Counts every change: the ETag of the case.
  revision integer not null default 1,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  verdict text check (verdict in ('happened', 'did-not-happen', 'undone-by-hand', 'left-as-is')),
  evidence text,
  reason text,
  resolved_by text,
  amount bigint,
  currency text,
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'resolved') = (verdict is not null)),
  check ((amount is null) = (currency is null))
);
-- A problem is put on the desk once while it lasts. Each contradicting fact is one of its own.
create unique index cases_open_once on cases (run, step, direction, problem)
  where state = 'open' and problem <> 'contradiction';
create index cases_by_state on cases (state, opened_at desc, id desc);
create index cases_by_run on cases (run);

-- Who changed the course of a run, when and why; written before it acts.
create table interventions (
  id bigint generated always as identity primary key,
  run text not null references runs (id),
  case_id text references cases (id),
  at timestamptz not null default now(),
  who text not null,
  action text not null,
  reason text,
  evidence text,
  before jsonb not null,
  after jsonb not null
);
create index interventions_by_run on interventions (run);
create trigger interventions_are_append_only before update or delete on interventions
  for each row execute function refuse_change();
