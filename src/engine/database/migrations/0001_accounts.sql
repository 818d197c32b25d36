-- Who may call: an account is a customer's tenant or the house itself.
create table accounts (
  id text primary key check (id ~ '^[a-z][a-z0-9_]{0,39}$'),
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

-- A key is shown once. What lies here is the sha256 of its 256 random bits: high entropy, so a fast
-- hash is the right one.
create table api_keys (
  id text primary key check (id ~ '^[a-z0-9]{1,40}$'),
  account text not null references accounts (id),
  role text not null check (role in ('customer', 'operator')),
  hash bytea not null unique check (length(hash) = 32),
  note text not null default '' check (length(note) <= 200),
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index api_keys_by_account on api_keys (account);
