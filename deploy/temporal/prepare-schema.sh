#!/bin/sh
# Creates Temporal's tables, or brings them up to date. Safe to run again: `setup-schema` writes a
# version only where there is none, and `update-schema` applies what is newer than it. Run it with
# the tools of the new version before the server of that version starts.
set -eu

SQL_PASSWORD="$(cat /run/secrets/temporal_database_password)"
export SQL_PASSWORD

prepare() {
  tool="temporal-sql-tool --plugin postgres12 --ep postgres --port 5432 --user temporal --db $1"
  $tool setup-schema --version 0.0
  $tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
