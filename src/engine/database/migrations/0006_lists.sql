-- For lists, the newest first. A row of `runs` is written again with every line of its journal, and
-- each time every index that has it. So most of these have only what no longer moves: a run enters
-- them once, when it ends.
create index runs_ended on runs (created_at desc, id desc) where ended_at is not null;
create index runs_ended_by_saga on runs (saga, created_at desc, id desc)
  where ended_at is not null;
create index runs_ended_by_state on runs (state, created_at desc, id desc)
  where ended_at is not null;
create index runs_ended_by_status on runs (account, status, created_at desc, id desc)
  where ended_at is not null;
-- What lives is little. It is looked through in this order, whatever is looked for; saga and
-- version are in it for those who count what lives.
create index runs_alive on runs (created_at desc, id desc) include (saga, version)
  where ended_at is null;
drop index runs_alive_by_version;
-- The bookings that `runs_by_reference` no longer holds: together they are all of a reference.
create index runs_past_by_reference on runs (account, reference)
  where reference is not null
    and (status in ('failed', 'cancelled') or (status = 'closed' and remains = '[]'::jsonb));
-- What waits for a person. A late fact opens a case on a run that has ended, so both are here.
create index runs_with_problem on runs (created_at desc, id desc) where problem is not null;

create index cases_by_time on cases (opened_at desc, id desc);
