-- One row a request that changed something: who asks again with the same key gets these bytes.
create table claims (
  account text not null references accounts (id),
  key text not null check (length(key) between 1 and 255),
  -- sha256 over method, route, query and canonical body.
  fingerprint bytea not null check (length(fingerprint) = 32),
  status integer not null check (status between 200 and 299),
  location text,
  etag text,
  body bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account, key)
);
create index claims_by_expiry on claims (expires_at);
