create table accounts (
  id text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  pinned_version text not null default '2026-12-01'::text,
  active_runs integer not null default 10000,
  reads_per_window integer not null default 20000,
  writes_per_window integer not null default 10000,
  constraint accounts_active_runs_check CHECK (((active_runs >= 1) AND (active_runs <= 100000000))),
  constraint accounts_id_check CHECK ((id ~ '^[a-z][a-z0-9_]{0,39}$'::text)),
  constraint accounts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_reads_per_window_check CHECK (((reads_per_window >= 1) AND (reads_per_window <= 100000000))),
  constraint accounts_version_is_a_date CHECK ((pinned_version ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  constraint accounts_writes_per_window_check CHECK (((writes_per_window >= 1) AND (writes_per_window <= 100000000)))
);
CREATE TRIGGER accounts_have_run_places AFTER INSERT OR UPDATE OF active_runs ON public.accounts FOR EACH ROW EXECUTE FUNCTION open_run_places();
alter table accounts enable row level security;
create policy own on accounts using ((id = current_setting('recourse.account'::text, true)));
grant select on accounts to recourse_customer;

create table api_keys (
  id text not null,
  account text not null,
  role text not null,
  hash bytea not null,
  note text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  environment text not null default 'live'::text,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  slot smallint,
  constraint api_keys_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  constraint api_keys_environment_is_a_word CHECK ((environment ~ '^[a-z]{2,10}$'::text)),
  constraint api_keys_hash_check CHECK ((length(hash) = 32)),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_have_two_slots CHECK ((slot = ANY (ARRAY[1, 2]))),
  constraint api_keys_id_check CHECK ((id ~ '^[a-z0-9]{1,40}$'::text)),
  constraint api_keys_note_check CHECK ((length(note) <= 200)),
  constraint api_keys_one_a_slot UNIQUE (account, role, slot),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_role_check CHECK ((role = ANY (ARRAY['customer'::text, 'operator'::text])))
);
CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account);
alter table api_keys enable row level security;
create policy own on api_keys using ((account = current_setting('recourse.account'::text, true)));

create table attempts (
  run text not null,
  step text not null,
  direction text not null,
  attempt integer not null,
  state text not null,
  token uuid not null,
  began_at timestamp with time zone not null default clock_timestamp(),
  send_by timestamp with time zone not null,
  ended_at timestamp with time zone,
  detail text,
  provider_id text,
  worker text not null,
  constraint attempts_attempt_check CHECK ((attempt > 0)),
  constraint attempts_check CHECK (((state = 'sending'::text) = (ended_at IS NULL))),
  constraint attempts_pkey PRIMARY KEY (run, step, direction, attempt),
  constraint attempts_run_step_direction_fkey FOREIGN KEY (run, step, direction) REFERENCES step_keys(run, step, direction),
  constraint attempts_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'done'::text, 'refused'::text, 'again'::text, 'unknown'::text])))
);
alter table attempts enable row level security;
create policy own on attempts using ((NOT is_of_another(run)));
grant insert, select, update on attempts to recourse_customer;

create table cases (
  id text not null,
  run text not null,
  step text not null,
  direction text not null,
  problem text not null,
  state text not null default 'open'::text,
  revision integer not null default 1,
  opened_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  verdict text,
  evidence text,
  reason text,
  resolved_by text,
  amount bigint,
  currency text,
  constraint cases_check CHECK (((state = 'open'::text) = (closed_at IS NULL))),
  constraint cases_check1 CHECK (((state = 'resolved'::text) = (verdict IS NOT NULL))),
  constraint cases_check2 CHECK (((amount IS NULL) = (currency IS NULL))),
  constraint cases_direction_check CHECK ((direction = ANY (ARRAY['do'::text, 'undo'::text]))),
  constraint cases_id_check CHECK ((id ~ '^case_[a-z2-7]{26}$'::text)),
  constraint cases_pkey PRIMARY KEY (id),
  constraint cases_problem_check CHECK ((problem = ANY (ARRAY['unknown-outcome'::text, 'undo-stuck'::text, 'forward-stuck'::text, 'found-differs'::text, 'nothing-to-undo'::text, 'key-window-passed'::text, 'contradiction'::text]))),
  constraint cases_run_fkey FOREIGN KEY (run) REFERENCES runs(id),
  constraint cases_state_check CHECK ((state = ANY (ARRAY['open'::text, 'resolved'::text, 'settled'::text]))),
  constraint cases_verdict_check CHECK ((verdict = ANY (ARRAY['happened'::text, 'did-not-happen'::text, 'undone-by-hand'::text, 'left-as-is'::text])))
);
CREATE INDEX cases_by_run ON public.cases USING btree (run);
CREATE INDEX cases_by_state ON public.cases USING btree (state, opened_at DESC, id DESC);
CREATE INDEX cases_by_time ON public.cases USING btree (opened_at DESC, id DESC);
CREATE UNIQUE INDEX cases_open_once ON public.cases USING btree (run, step, direction, problem) WHERE ((state = 'open'::text) AND (problem <> 'contradiction'::text));
alter table cases enable row level security;
create policy own on cases using ((NOT is_of_another(run)));
grant insert, select, update on cases to recourse_customer;

create table claims (
  expires_at timestamp with time zone not null,
  id uuid not null,
  status smallint not null,
  fingerprint bytea not null,
  account text not null,
  location text,
  etag text,
  body bytea not null,
  constraint claims_are_of_success CHECK (((status >= 200) AND (status <= 299))),
  constraint claims_have_a_sha256 CHECK ((length(fingerprint) = 32))
) partition by RANGE (expires_at);
alter table claims enable row level security;
create policy own on claims using ((account = current_setting('recourse.account'::text, true)));
grant insert, select on claims to recourse_customer;

create table claims_at_work (
  id uuid not null,
  account text not null,
  fingerprint bytea not null,
  handler text not null,
  point text not null,
  state bytea not null,
  epoch bigint not null default nextval('claim_epochs'::regclass),
  tries integer not null default 0,
  lease_until timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint claims_at_work_pkey PRIMARY KEY (id),
  constraint work_has_a_sha256 CHECK ((length(fingerprint) = 32))
);
CREATE INDEX claims_at_work_by_lease ON public.claims_at_work USING btree (lease_until);
alter table claims_at_work enable row level security;
create policy own on claims_at_work using ((account = current_setting('recourse.account'::text, true)));
grant delete, insert, select, update on claims_at_work to recourse_customer;

create table events (
  xid xid8 not null,
  position bigint not null generated always as identity,
  account text not null,
  run text not null,
  seq integer not null,
  saga text not null,
  status text not null,
  failure jsonb,
  created_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (account, xid, "position"),
  constraint events_run_fkey FOREIGN KEY (run) REFERENCES runs(id),
  constraint events_seq_check CHECK ((seq > 0))
);
CREATE TRIGGER events_are_append_only BEFORE DELETE OR UPDATE ON public.events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_never_emptied BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table events enable row level security;
create policy own on events using ((account = current_setting('recourse.account'::text, true)));
grant insert, select on events to recourse_customer;

create table interventions (
  id bigint not null generated always as identity,
  run text not null,
  case_id text,
  at timestamp with time zone not null default now(),
  who text not null,
  action text not null,
  reason text,
  evidence text,
  before jsonb not null,
  after jsonb not null,
  constraint interventions_case_id_fkey FOREIGN KEY (case_id) REFERENCES cases(id),
  constraint interventions_pkey PRIMARY KEY (id),
  constraint interventions_run_fkey FOREIGN KEY (run) REFERENCES runs(id)
);
CREATE INDEX interventions_by_run ON public.interventions USING btree (run);
CREATE TRIGGER interventions_are_append_only BEFORE DELETE OR UPDATE ON public.interventions FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table interventions enable row level security;
create policy own on interventions using ((NOT is_of_another(run)));
grant insert, select on interventions to recourse_customer;

create table journal (
  run text not null,
  seq integer not null,
  at timestamp with time zone not null default clock_timestamp(),
  line jsonb not null,
  constraint journal_pkey PRIMARY KEY (run, seq),
  constraint journal_run_fkey FOREIGN KEY (run) REFERENCES runs(id),
  constraint journal_seq_check CHECK ((seq > 0))
);
CREATE TRIGGER journal_is_append_only BEFORE DELETE OR UPDATE ON public.journal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_is_never_emptied BEFORE TRUNCATE ON public.journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table journal enable row level security;
create policy own on journal using ((NOT is_of_another(run)));
grant insert, select on journal to recourse_customer;

create table locks (
  name text not null,
  holder text not null,
  until timestamp with time zone not null,
  fence bigint not null default 1,
  constraint locks_pkey PRIMARY KEY (name)
);

create table outbox (
  id bigint not null generated always as identity,
  kind text not null,
  run text not null,
  created_at timestamp with time zone not null default now(),
  next_at timestamp with time zone not null default now(),
  tries integer not null default 0,
  last_error text,
  sent_at timestamp with time zone,
  constraint outbox_kind_check CHECK ((kind = ANY (ARRAY['start'::text, 'cancel'::text, 'look'::text]))),
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_run_fkey FOREIGN KEY (run) REFERENCES runs(id)
);
CREATE INDEX outbox_by_run ON public.outbox USING btree (run) WHERE (sent_at IS NULL);
CREATE INDEX outbox_sent ON public.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX outbox_starts_waiting ON public.outbox USING btree (created_at) WHERE ((kind = 'start'::text) AND (sent_at IS NULL));
CREATE INDEX outbox_to_send ON public.outbox USING btree (next_at) WHERE (sent_at IS NULL);
alter table outbox enable row level security;
create policy own on outbox using ((NOT is_of_another(run)));
grant insert, select on outbox to recourse_customer;

create table quotes (
  id text not null,
  account text not null,
  run text not null,
  comes_to jsonb not null,
  terms bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint quotes_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  constraint quotes_are_open_first CHECK ((expires_at > created_at)),
  constraint quotes_pkey PRIMARY KEY (id),
  constraint quotes_run_fkey FOREIGN KEY (run) REFERENCES runs(id)
);
CREATE INDEX quotes_by_expiry ON public.quotes USING btree (expires_at);
alter table quotes enable row level security;
create policy own on quotes using ((account = current_setting('recourse.account'::text, true)));
grant insert, select, update on quotes to recourse_customer;

create table request_windows (
  account text not null,
  kind text not null,
  began_at timestamp with time zone not null,
  used integer not null,
  constraint request_windows_kind_check CHECK ((kind = ANY (ARRAY['reads'::text, 'writes'::text]))),
  constraint request_windows_pkey PRIMARY KEY (account, kind)
);
alter table request_windows enable row level security;
create policy own on request_windows using ((account = current_setting('recourse.account'::text, true)));

create table run_places (
  account text not null,
  share smallint not null,
  most integer,
  taken integer not null default 0,
  constraint run_places_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  constraint run_places_pkey PRIMARY KEY (account, share),
  constraint run_places_share_check CHECK (((share >= 0) AND (share <= 31)))
);
alter table run_places enable row level security;
create policy own on run_places using ((account = current_setting('recourse.account'::text, true)));

create table runs (
  id text not null,
  account text not null,
  saga text not null,
  version integer not null,
  rules integer not null,
  reference text,
  input bytea not null,
  state text not null default 'running'::text,
  direction text not null default 'forward'::text,
  status text not null default 'pending'::text,
  steps jsonb not null default '[]'::jsonb,
  failure jsonb,
  remains jsonb not null default '[]'::jsonb,
  problem text,
  problem_step text,
  stuck_since timestamp with time zone,
  last_seq integer not null default 0,
  execution text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deadline_at timestamp with time zone,
  look_at timestamp with time zone,
  look_after_ms integer not null,
  look_wait_ms integer not null,
  cancel_requested_at timestamp with time zone,
  pivot_begun_at timestamp with time zone,
  unwinding_because text,
  ended_at timestamp with time zone,
  event_xid xid8,
  constraint runs_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  constraint runs_check CHECK (((cancel_requested_at IS NULL) OR (pivot_begun_at IS NULL))),
  constraint runs_check1 CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['running'::text, 'undoing'::text, 'needs_reconciliation'::text])))),
  constraint runs_check2 CHECK (((ended_at IS NULL) = (look_at IS NOT NULL))),
  constraint runs_direction_check CHECK ((direction = ANY (ARRAY['forward'::text, 'undo'::text]))),
  constraint runs_id_check CHECK ((id ~ '^[a-z]+_[a-z2-7]{26}$'::text)),
  constraint runs_look_after_ms_check CHECK ((look_after_ms > 0)),
  constraint runs_look_wait_ms_check CHECK ((look_wait_ms > 0)),
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
  constraint runs_rules_check CHECK ((rules > 0)),
  constraint runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'undoing'::text, 'needs_reconciliation'::text, 'completed'::text, 'undone'::text, 'cancelled'::text, 'closed_by_hand'::text]))),
  constraint runs_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'closed'::text, 'cancelled'::text, 'failed'::text, 'cancelling'::text, 'in_review'::text, 'failing'::text]))),
  constraint runs_unwinding_because_check CHECK ((unwinding_because = ANY (ARRAY['cancel'::text, 'refused'::text, 'deadline'::text, 'person'::text]))),
  constraint runs_version_check CHECK ((version > 0))
);
CREATE INDEX runs_alive ON public.runs USING btree (created_at DESC, id DESC) INCLUDE (saga, version) WHERE (ended_at IS NULL);
CREATE INDEX runs_by_account ON public.runs USING btree (account, created_at DESC, id DESC);
CREATE INDEX runs_ended ON public.runs USING btree (created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_ended_by_saga ON public.runs USING btree (saga, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_ended_by_state ON public.runs USING btree (state, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_ended_by_status ON public.runs USING btree (account, status, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_past_by_reference ON public.runs USING btree (account, reference) WHERE ((reference IS NOT NULL) AND ((status = ANY (ARRAY['failed'::text, 'cancelled'::text])) OR ((status = 'closed'::text) AND (remains = '[]'::jsonb))));
CREATE INDEX runs_to_look_at ON public.runs USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX runs_with_problem ON public.runs USING btree (created_at DESC, id DESC) WHERE (problem IS NOT NULL);
CREATE UNIQUE INDEX runs_by_reference ON public.runs USING btree (account, reference) WHERE ((reference IS NOT NULL) AND (status <> ALL (ARRAY['failed'::text, 'cancelled'::text])) AND (NOT ((status = 'closed'::text) AND (remains = '[]'::jsonb))));
CREATE TRIGGER removed_runs_give_their_place_back AFTER DELETE ON public.runs FOR EACH ROW WHEN ((old.ended_at IS NULL)) EXECUTE FUNCTION move_run_place();
CREATE TRIGGER runs_give_their_place_back AFTER UPDATE OF ended_at ON public.runs FOR EACH ROW WHEN (((old.ended_at IS NULL) <> (new.ended_at IS NULL))) EXECUTE FUNCTION move_run_place();
CREATE TRIGGER runs_take_their_places AFTER INSERT ON public.runs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION give_runs_their_places();
alter table runs enable row level security;
create policy own on runs using ((account = current_setting('recourse.account'::text, true)));
grant insert, select, update on runs to recourse_customer;

create table step_keys (
  run text not null,
  step text not null,
  direction text not null,
  key text not null,
  input bytea,
  value bytea,
  provider_id text,
  first_sent_at timestamp with time zone,
  asked_at timestamp with time zone,
  asked integer not null default 0,
  closed_at timestamp with time zone,
  constraint step_keys_direction_check CHECK ((direction = ANY (ARRAY['do'::text, 'undo'::text]))),
  constraint step_keys_key_key UNIQUE (key),
  constraint step_keys_pkey PRIMARY KEY (run, step, direction),
  constraint step_keys_run_fkey FOREIGN KEY (run) REFERENCES runs(id)
);
alter table step_keys enable row level security;
create policy own on step_keys using ((NOT is_of_another(run)));
grant insert, select, update on step_keys to recourse_customer;

create table tokens (
  hash bytea not null,
  account text not null,
  about text not null,
  expires_at timestamp with time zone not null,
  constraint tokens_about_fkey FOREIGN KEY (about) REFERENCES quotes(id) ON DELETE CASCADE,
  constraint tokens_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  constraint tokens_have_a_sha256 CHECK ((length(hash) = 32)),
  constraint tokens_pkey PRIMARY KEY (hash)
);
CREATE INDEX tokens_by_expiry ON public.tokens USING btree (expires_at);
CREATE INDEX tokens_by_what ON public.tokens USING btree (about);
alter table tokens enable row level security;
create policy own on tokens using ((account = current_setting('recourse.account'::text, true)));
grant delete, insert, select on tokens to recourse_customer;

create table workers (
  id text not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  versions text[] not null,
  constraint workers_pkey PRIMARY KEY (id)
);
