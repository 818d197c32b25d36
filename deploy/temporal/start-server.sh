#!/bin/sh
# The server takes its password from the environment only, so it is put there by the process itself:
# it stands in no file that describes the container.
set -eu

POSTGRES_PWD="$(cat /run/secrets/temporal_database_password)"
export POSTGRES_PWD
exec /etc/temporal/entrypoint.sh
