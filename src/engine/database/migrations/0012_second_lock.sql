-- A second lock on everything that belongs to an account. What a request of a customer does is done
-- in a transaction that takes the role `recourse_customer` and says for whom, in
-- `recourse.account`: then no statement finds, changes or makes a row of another account, whatever
-- its predicate has forgotten. Who owns the tables passes by it: operators, workers and relays see
-- every account.

-- The role belongs to the whole server, so it may be there already.
do $$
begin
  if not exists (select from pg_roles where rolname = 'recourse_customer') then
    begin
      create role recourse_customer nologin;
    exception
      -- Another database of this server is migrated at this moment.
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        raise exception 'the role recourse_customer is missing, and % may not make it: %',
          current_user, format('as a superuser, create role recourse_customer nologin; '
            'grant recourse_customer to %I', current_user);
    end;
  end if;
  -- Tried, because before version 16 Postgres cannot be asked whether a role may be taken.
  begin
    set local role recourse_customer;
    set local role none;
  exception
    when insufficient_privilege then
      begin
        execute format('grant recourse_customer to %I', current_user);
      exception
        when insufficient_privilege then
          raise exception '% may not take the role recourse_customer: %', current_user,
            format('as a superuser, grant recourse_customer to %I', current_user);
      end;
  end;
end
$$;

-- What of a run belongs to somebody else. A run that cannot be seen yet, because the same statement
-- makes it, is not. It looks past the lock, so it says nothing but this.
create function is_of_another(run text) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  return exists (
    select from runs
    where id = run and account is distinct from current_setting('recourse.account', true));
end;
$$;
revoke all on function is_of_another from public;

alter table accounts enable row level security;
create policy own on accounts using (id = current_setting('recourse.account', true));

alter table api_keys enable row level security;
create policy own on api_keys using (account = current_setting('recourse.account', true));

alter table claims enable row level security;
create policy own on claims using (account = current_setting('recourse.account', true));

alter table claims_at_work enable row level security;
create policy own on claims_at_work using (account = current_setting('recourse.account', true));

alter table events enable row level security;
create policy own on events using (account = current_setting('recourse.account', true));

alter table runs enable row level security;
create policy own on runs using (account = current_setting('recourse.account', true));

alter table attempts enable row level security;
create policy own on attempts using (not is_of_another(run));

alter table cases enable row level security;
create policy own on cases using (not is_of_another(run));

alter table interventions enable row level security;
create policy own on interventions using (not is_of_another(run));

alter table journal enable row level security;
create policy own on journal using (not is_of_another(run));

alter table outbox enable row level security;
create policy own on outbox using (not is_of_another(run));

alter table step_keys enable row level security;
create policy own on step_keys using (not is_of_another(run));

-- Nothing of keys, and nothing of a day of claims but through the table of all days: that is where
-- the lock is.
grant usage on schema public to recourse_customer;
grant select on accounts to recourse_customer;
grant select, insert on claims, events, interventions, journal, outbox to recourse_customer;
grant select, insert, update on attempts, cases, runs, step_keys to recourse_customer;
grant select, insert, update, delete on claims_at_work to recourse_customer;
grant usage on sequence claim_epochs to recourse_customer;
grant execute on function claim_day, is_of_another to recourse_customer;
