-- Claims are kept by the UTC day on which they are over, so that a day is dropped whole: no delete,
-- no vacuum, no index that goes on growing. No unique constraint can span the days; that a key has
-- one claim is kept by the lock under which each is looked up and written, in all of them.
alter table claims rename to claims_before;

create table claims (
  -- Fixed when the key is claimed, to the millisecond: the answer says it.
  expires_at timestamptz not null,
  -- The first half of sha256 over account, colon and key. The key itself is not kept.
  id uuid not null,
  status smallint not null constraint claims_are_of_success check (status between 200 and 299),
  -- sha256 over method, route, query and canonical body.
  fingerprint bytea not null constraint claims_have_a_sha256 check (length(fingerprint) = 32),
  account text not null,
  location text,
  etag text,
  -- Sealed: it begins with a byte 1. What was moved here from the table before begins with JSON.
  body bytea not null
) partition by range (expires_at);
-- What is sealed cannot be packed any further.
alter table claims alter column body set storage external;

-- The name of the table with what is over on a day.
create function claim_day(day date) returns text
language sql stable
return 'claims_' || to_char(day, 'YYYYMMDD');

-- Makes the table of one day. Done for a day that is lost, it says: its keys are free.
create function make_claim_day(day date) returns void
language plpgsql security definer set search_path = public, pg_temp set datestyle = 'ISO, MDY'
as $$
begin
  -- Made first and attached then, because that waits for nobody who claims.
  execute format(
    'create table %I (like claims including constraints including storage, primary key (id))',
    claim_day(day));
  execute format(
    'alter table claims attach partition %I for values from (%L) to (%L)',
    claim_day(day), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end;
$$;

-- Makes the days after the newest one, up to `last`. A day that is missing between others is not
-- made again: it held claims, and without them their keys would be free.
create function make_claim_days(last date) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '250ms'
as $$
declare
  day date;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('recourse:claim-days', 0));
  select max(to_date(right(relname, 8), 'YYYYMMDD')) + 1 into day
  from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = 'claims'::regclass;
  while day <= last loop
    perform make_claim_day(day);
    made := made + 1;
    day := day + 1;
  end loop;
  return made;
end;
$$;

-- Drops the oldest day if all of it was over before `over`, and answers its name.
create function drop_claim_day(over timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '250ms'
as $$
declare
  oldest text;
begin
  perform pg_advisory_xact_lock(hashtextextended('recourse:claim-days', 0));
  select min(relname) into oldest
  from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = 'claims'::regclass;
  if oldest is null or oldest >= claim_day((over at time zone 'UTC')::date) then
    return null;
  end if;
  execute format('drop table %I', oldest);
  return oldest;
end;
$$;

-- Whoever may make and drop tables is whoever migrates.
revoke all on function make_claim_day, make_claim_days, drop_claim_day from public;

-- Two days are behind: a clock that is put back must not find the gate closed.
select make_claim_day(day::date)
from generate_series(
  (now() at time zone 'UTC')::date - 2,
  greatest(
    (now() at time zone 'UTC')::date + 15,
    (select (max(expires_at) at time zone 'UTC')::date from claims_before)),
  interval '1 day') as day;

insert into claims (expires_at, id, status, fingerprint, account, location, etag, body)
select expires_at,
  encode(substr(sha256(convert_to(account || ':' || key, 'UTF8')), 1, 16), 'hex')::uuid,
  status, fingerprint, account, location, etag, body
from claims_before
where expires_at > now();

drop table claims_before;
