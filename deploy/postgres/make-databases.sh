#!/bin/sh
# Run by the image of Postgres, once: when its data folder is empty. Recourse and Temporal each get a
# role that owns its own databases and can see nothing of the other's; neither is a superuser.
set -eu

if ! grep -Eq '^postgres://recourse:[A-Za-z0-9]+@' /run/secrets/database_url; then
  echo 'database_url: postgres://recourse:PASSWORD@… expected, of letters and digits' >&2
  exit 1
fi

psql --username "$POSTGRES_USER" --dbname postgres --no-psqlrc --set ON_ERROR_STOP=1 <<'SQL'
\set recourse_password `sed -E 's|^postgres://recourse:([A-Za-z0-9]+)@.*$|\1|' /run/secrets/database_url`
\set temporal_password `cat /run/secrets/temporal_database_password`
create role recourse login password :'recourse_password';
create role recourse_customer nologin;
grant recourse_customer to recourse;
create role temporal login password :'temporal_password';
create database recourse owner recourse;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke all on database recourse, temporal, temporal_visibility from public;
SQL
