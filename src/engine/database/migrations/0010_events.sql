-- What happened to the runs of an account, for who reads it from the first to the last: one row for
-- each change of a run's status, and one when it is accepted, written in the transaction of the
-- change. Runs from before this have no events until their status changes next, and what a process
-- of the version before changes during the upgrade has none either.
create table events (
  -- Where an event stands is (xid, position). No transaction that is still open has, or will have,
  -- an xid below pg_snapshot_xmin(pg_current_snapshot()), so a page that shows only rows below it
  -- is never followed by one that belongs before it. The position alone would not do: it may be
  -- taken first and committed last. The xid is that of the transaction, or that of the run's event
  -- before it where this is the higher one, so that the events of a run are in their order.
  xid xid8 not null,
  position bigint generated always as identity,
  account text not null,
  run text not null references runs (id),
  -- The line of the journal by which the status changed. The id of the event is made of the two.
  seq integer not null check (seq > 0),
  saga text not null,
  status text not null,
  failure jsonb,
  created_at timestamptz not null,
  -- The page of an account is read by it, and nothing else is looked for.
  primary key (account, xid, position)
);
create trigger events_are_append_only before update or delete on events
  for each row execute function refuse_change();
create trigger events_are_never_emptied before truncate on events
  for each statement execute function refuse_change();

-- The xid of the run's last event; null for runs that have none.
alter table runs add column event_xid xid8;
