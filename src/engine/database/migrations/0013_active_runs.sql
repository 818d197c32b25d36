-- How many runs of an account may be alive at once. The count is exact, and there is no row that
-- all acceptances of an account wait for: the places are dealt out to 32 shares, and an acceptance
-- takes one in a share that nobody else is at.
alter table accounts
  add column active_runs integer not null default 10000 check (active_runs between 1 and 100000000);

create table run_places (
  account text not null references accounts (id),
  share smallint not null check (share between 0 and 31),
  -- The sum over the shares of an account is its active_runs.
  most integer not null check (most >= 0),
  -- May be more than `most`, as long as there are more runs than a limit that was lowered allows.
  taken integer not null default 0 check (taken >= 0),
  primary key (account, share)
)
-- Room in each page for the next version of a row: no index is touched when it changes.
with (fillfactor = 50);

-- The share in which a run has its place; null: it ended before this.
alter table runs add column place_share smallint;

-- Deals the places of an account out anew. What is taken stays where it is; what is free is dealt
-- evenly. With more taken than there are places, a share opens again only below what it has now.
create function deal_run_places(of_account text) returns void language plpgsql as $$
declare
  free bigint;
begin
  perform from run_places where account = of_account order by share for no key update;
  select accounts.active_runs - sum(run_places.taken) into free
  from accounts join run_places on run_places.account = accounts.id
  where accounts.id = of_account group by accounts.active_runs;
  update run_places as place
  set most = case
    when free >= 0 then
      place.taken + free / 32 + case when place.share < free % 32 then 1 else 0 end
    else greatest(0, least(place.taken, place.taken + free + (
      select coalesce(sum(later.taken), 0) from run_places as later
      where later.account = of_account and later.share > place.share)))
    end
  where place.account = of_account;
end
$$;

create function open_run_places() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into run_places (account, share, most)
  select new.id, share, 0 from generate_series(0, 31) as share
  on conflict do nothing;
  perform deal_run_places(new.id);
  return null;
end
$$;
create trigger accounts_have_run_places after insert or update of active_runs on accounts
  for each row execute function open_run_places();

update runs set place_share = numbered.n % 32
from (select id, row_number() over (partition by account) as n from runs where ended_at is null)
  as numbered
where runs.id = numbered.id;
insert into run_places (account, share, most, taken)
select accounts.id, share, 0,
  (select count(*) from runs
   where runs.account = accounts.id and ended_at is null and place_share = share)
from accounts, generate_series(0, 31) as share;
select deal_run_places(id) from accounts;

-- Gives a new run its place, in the transaction that accepts it. Refuses with RC001 when all are
-- taken: one that is still being accepted counts, and one that is still ending does, too. Whoever
-- it is that accepts, so that a process of the version before counts as well. Runs that are
-- accepted together have their places in one share, as long as it has room, and leave the others to
-- other transactions.
create function take_run_place() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  earlier constant text := nullif(current_setting('recourse.place_share', true), '');
  first constant smallint := coalesce(earlier::smallint, floor(random() * 32)::smallint);
begin
  -- The insert of an id that is there comes to nothing, and takes none.
  if new.ended_at is not null or exists (select from runs where id = new.id) then
    return new;
  end if;
  select share into new.place_share from run_places
  where account = new.account and share = first and taken < most
  for no key update skip locked;
  while new.place_share is null loop
    select share into new.place_share from run_places
    where account = new.account and taken < most
    order by (share - first) & 31 limit 1
    for no key update skip locked;
    exit when found;
    -- Each share with room is somebody's who has not committed yet, and may be rolled back. One at
    -- a time waits for them, and none that holds a share already: two would wait for each other.
    -- Runs that are accepted together are asked for again one by one then.
    if earlier is null then
      perform pg_advisory_xact_lock(hashtextextended('places:' || new.account, 0));
      select share into new.place_share from run_places
      where account = new.account and taken < most
      order by (share - first) & 31 limit 1
      for no key update;
      exit when found;
    end if;
    if earlier is not null
      or not exists (select from run_places where account = new.account and taken < most) then
      raise exception using errcode = 'RC001',
        message = 'the account has as many active runs as it may have';
    end if;
  end loop;
  if earlier is distinct from new.place_share::text then
    perform set_config('recourse.place_share', new.place_share::text, true);
  end if;
  update run_places set taken = taken + 1
  where account = new.account and share = new.place_share;
  return new;
end
$$;
create trigger runs_take_a_place before insert on runs
  for each row execute function take_run_place();

-- Gives the place back when the run ends, and takes it again, whatever the limit says, should a run
-- that had ended go on: it is there.
create function move_run_place() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update run_places set taken = taken + case when lower(tg_op) = 'update' and new.ended_at is null
    then 1 else -1 end
  where account = old.account and share = old.place_share;
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
