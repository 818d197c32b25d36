-- What a cancel would come to, told to a customer before it is done. A quote changes nothing, and
-- goes away by itself.
create table quotes (
  id text primary key,
  account text not null references accounts (id),
  run text not null references runs (id),
  -- Which steps would be undone, and how it would end: names only. A cancel that has come to mean
  -- something else is refused.
  comes_to jsonb not null,
  -- What the domain told of it, sealed.
  terms bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null constraint quotes_are_open_first check (expires_at > created_at),
  confirmed_at timestamptz
);
create index quotes_by_expiry on quotes (expires_at);

-- Secrets that are good once: whoever deletes the row in the transaction of the effect has it. Of
-- the secret only a hash is kept. A quote's token goes with the quote, or before it.
create table tokens (
  hash bytea primary key constraint tokens_have_a_sha256 check (length(hash) = 32),
  account text not null references accounts (id),
  -- What it is for: the id of a quote.
  about text not null references quotes (id) on delete cascade,
  expires_at timestamptz not null
);
create index tokens_by_expiry on tokens (expires_at);
-- Deleting a quote looks for its token.
create index tokens_by_what on tokens (about);

alter table quotes enable row level security;
create policy own on quotes using (account = current_setting('recourse.account', true));
grant select, insert, update on quotes to recourse_customer;

alter table tokens enable row level security;
create policy own on tokens using (account = current_setting('recourse.account', true));
grant select, insert, delete on tokens to recourse_customer;
