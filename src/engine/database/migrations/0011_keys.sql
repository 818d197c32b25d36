-- The version of the interface that an account gets when its requests name none: the one of the day
-- on which it was made. Accounts from before this know no other.
alter table accounts add column pinned_version text not null default '2026-12-01'
  constraint accounts_version_is_a_date check (pinned_version ~ '^\d{4}-\d{2}-\d{2}$');

alter table api_keys
  -- The word behind `rk_`: it says to people and scanners what a key is for. No door looks at it.
  add column environment text not null default 'live'
    constraint api_keys_environment_is_a_word check (environment ~ '^[a-z]{2,10}$'),
  -- By the clock of the database; null: never.
  add column expires_at timestamptz,
  -- Written at most once a minute.
  add column last_used_at timestamptz,
  -- An account has two places for keys of a role, so that one can take over from another and none
  -- is forgotten beside them. A key that is over keeps its place until a new one needs it.
  add column slot smallint constraint api_keys_have_two_slots check (slot in (1, 2));

-- The newest two have the places. What is older stays valid until somebody revokes it.
update api_keys set slot = ranked.nth
from (select id, row_number() over (partition by account, role order by created_at desc, id) as nth
      from api_keys where revoked_at is null) as ranked
where ranked.id = api_keys.id and ranked.nth <= 2;

alter table api_keys add constraint api_keys_one_a_slot unique (account, role, slot);
