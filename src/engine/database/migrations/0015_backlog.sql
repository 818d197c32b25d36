-- The runs whose start Temporal was not told yet, the oldest first: every API process looks once a
-- second how long that one has waited.
create index outbox_starts_waiting on outbox (created_at) where kind = 'start' and sent_at is null;
