-- Keys whose handler works in phases and has not ended: its claim commits before anything is done,
-- so it needs a row before there is an answer. With its last phase it leaves here for `claims`.
create sequence claim_epochs;
create table claims_at_work (
  -- As in `claims`.
  id uuid primary key,
  account text not null,
  fingerprint bytea not null constraint work_has_a_sha256 check (length(fingerprint) = 32),
  -- What goes on with it, and from where.
  handler text not null,
  point text not null,
  -- What the phases so far have found, sealed.
  state bytea not null,
  -- The fencing number: whoever takes the work gets a new one, never given before, also when the
  -- key was free in between. Who writes under an older one changes nothing.
  epoch bigint not null default nextval('claim_epochs'),
  tries integer not null default 0,
  -- By the clock of the database. Past it anybody may go on.
  lease_until timestamptz not null,
  -- Fixed when the key was claimed.
  expires_at timestamptz not null
);
create index claims_at_work_by_lease on claims_at_work (lease_until);
