-- How many runs of an account may be alive at once. The count is exact, and there is no row that
-- all acceptances of an account wait for: the places are dealt out to 32 shares, and an acceptance
-- takes its own in a share that nobody else is at.
alter table accounts
  add column active_runs integer not null default 10000 check (active_runs between 1 and 100000000);

create table run_places (
  account text not null references accounts (id),
  share smallint not null check (share between 0 and 31),
  -- `taken` goes no higher than this. The sum over an account's shares is its active_runs; null in
  -- each of them while more is taken than a limit that was lowered allows.
  most integer,
  -- The sum over an account's shares is how many of its runs are alive. A run that ends gives a
  -- place back to the share that its id says, whichever it was taken in: one may be below zero.
  taken integer not null default 0,
  primary key (account, share)
)
-- Room in each page for the next version of a row: no index is touched when it changes.
with (fillfactor = 50);

create function count_free_places(of_account text) returns bigint language sql stable as $$
  select active_runs - (select sum(taken) from run_places where account = id)
  from accounts where id = of_account
$$;

-- Takes so many places of an account in one share, and deals out anew those that are free then:
-- what is taken stays where it is. False, and nothing is changed: fewer are free.
create function deal_run_places(of_account text, wanted integer, at_share smallint)
returns boolean language plpgsql as $$
declare
  free bigint;
begin
  perform from run_places where account = of_account order by share for no key update;
  free := count_free_places(of_account) - wanted;
  if wanted > 0 and free < 0 then
    return false;
  end if;
  update run_places as place
  set taken = dealt.taken,
    most = case when free >= 0 then
      dealt.taken + free / 32 + case when place.share < free % 32 then 1 else 0 end
    end
  from (select share, taken + case when share = at_share then wanted else 0 end as taken
        from run_places where account = of_account) as dealt
  where place.account = of_account and place.share = dealt.share;
  return true;
end
$$;

create function open_run_places() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into run_places (account, share)
  select new.id, share from generate_series(0, 31) as share
  on conflict do nothing;
  perform deal_run_places(new.id, 0, 0::smallint);
  return null;
end
$$;
create trigger accounts_have_run_places after insert or update of active_runs on accounts
  for each row execute function open_run_places();

insert into run_places (account, share, taken)
select accounts.id, share,
  (select count(*) from runs
   where runs.account = accounts.id and ended_at is null and hashtext(runs.id) & 31 = share)
from accounts, generate_series(0, 31) as share;
select deal_run_places(id, 0, 0::smallint) from accounts;

-- Takes places for runs that are accepted together, all of them or none. Refuses with RC001 when
-- fewer are free: one that is still being accepted counts, and one that is still ending does, too.
create function take_run_places(of_account text, wanted integer)
returns void language plpgsql as $$
declare
  earlier constant text := nullif(current_setting('recourse.place_share', true), '');
  share_here smallint := coalesce(earlier::smallint, floor(random() * 32)::smallint);
begin
  -- A row that is seen to have room, and is found to have none once it is locked, stays locked. So
  -- what was locked in vain is let go of before anybody is waited for.
  begin
    select share into strict share_here from run_places
    where account = of_account and most - taken >= wanted
    order by (share - share_here) & 31 limit 1
    for no key update skip locked;
    update run_places set taken = taken + wanted
    where account = of_account and share = share_here;
    perform set_config('recourse.place_share', share_here::text, true);
    return;
  exception when no_data_found then
    null;
  end;
  -- Either fewer are free, or those that are lie in several shares, or whoever is at theirs has not
  -- committed: only then it is worth to wait. A transaction that is at a share itself never does:
  -- two would wait for each other. Runs that were to be accepted together are asked for again one
  -- by one then.
  if earlier is not null
    or count_free_places(of_account) < wanted
    or not deal_run_places(of_account, wanted, share_here) then
    raise exception using errcode = 'RC001',
      message = 'the account has as many active runs as it may have';
  end if;
  perform set_config('recourse.place_share', share_here::text, true);
end
$$;

-- Whoever it is that accepts, so that a process of the version before counts as well. The insert of
-- an id that is there comes to nothing, and takes none.
create function give_runs_their_places() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform take_run_places(account, count(*)::integer)
  from added where ended_at is null group by account order by account;
  return null;
end
$$;
create trigger runs_take_their_places after insert on runs referencing new table as added
  for each statement execute function give_runs_their_places();

-- Gives the place back when the run ends, and takes it again, whatever the limit says, should a run
-- that had ended go on: it is there.
create function move_run_place() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update run_places set taken = taken + case when lower(tg_op) = 'update' and new.ended_at is null
    then 1 else -1 end
  where account = old.account and share = hashtext(old.id) & 31;
  return null;
end
$$;
create trigger runs_give_their_place_back after update of ended_at on runs
  for each row when ((old.ended_at is null) <> (new.ended_at is null))
  execute function move_run_place();
create trigger removed_runs_give_their_place_back after delete on runs
  for each row when (old.ended_at is null) execute function move_run_place();

alter table run_places enable row level security;
create policy own on run_places using (account = current_setting('recourse.account', true));
