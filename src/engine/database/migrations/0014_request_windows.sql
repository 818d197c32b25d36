-- How many requests an account may make in ten seconds, reads and writes apart, so that who looks
-- too often can still cancel.
alter table accounts
  add column reads_per_window integer not null default 20000
    check (reads_per_window between 1 and 100000000),
  add column writes_per_window integer not null default 10000
    check (writes_per_window between 1 and 100000000);

-- The windows that are open. Not logged, so that counting costs no flush: after a crash of
-- Postgres, and on a standby that took over, each account begins a new one.
create unlogged table request_windows (
  account text not null,
  kind text not null check (kind in ('reads', 'writes')),
  began_at timestamptz not null,
  used integer not null,
  primary key (account, kind)
)
with (fillfactor = 50);

-- Takes a tenth of what is left of an account's window, at least one request, for a process that
-- may then let so many in until the window ends; granted 0: none are left. The parts become smaller
-- towards the end, so that the last ones do not lie idle in a process that needs them not. All by
-- this server's clock, read once the row is locked; a clock that was put back opens a new window.
create function lease_requests(of_account text, of_kind text, window_ms integer)
returns table (granted integer, remaining integer, quota integer, ends_in_ms double precision)
language plpgsql as $$
declare
  length constant interval := window_ms * interval '1 millisecond';
  moment timestamptz;
  began timestamptz;
  spent integer;
begin
  select case of_kind when 'reads' then reads_per_window else writes_per_window end into quota
  from accounts where id = of_account;
  insert into request_windows (account, kind, began_at, used)
  values (of_account, of_kind, '-infinity', 0) on conflict do nothing;
  select began_at, used into began, spent from request_windows
  where account = of_account and kind = of_kind for no key update;
  moment := clock_timestamp();
  if began + length <= moment or began > moment + length then
    began := moment;
    spent := 0;
  end if;
  granted := greatest(0, least(quota - spent, greatest(1, (quota - spent) / 10)));
  remaining := greatest(0, quota - spent - granted);
  ends_in_ms := extract(epoch from began + length - moment) * 1000;
  if granted > 0 then
    update request_windows set began_at = began, used = spent + granted
    where account = of_account and kind = of_kind;
  end if;
  return next;
end
$$;

alter table request_windows enable row level security;
create policy own on request_windows using (account = current_setting('recourse.account', true));
