#!/bin/sh
# Creates the namespace and the search attributes that the worker asks for. Safe to run again.
set -eu

namespace="$TEMPORAL_NAMESPACE"

# The port of the server opens before the server can answer.
tries=0
until temporal operator cluster health; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || exit 1
  sleep 2
done

# Histories of ended runs are kept for 30 days, to look at; the record in Postgres stays.
temporal operator namespace describe --namespace "$namespace" > /dev/null 2>&1 ||
  temporal operator namespace create --namespace "$namespace" --retention 720h

temporal operator search-attribute create --namespace "$namespace" \
  --name SagaState --type Keyword \
  --name SagaDirection --type Keyword \
  --name SagaStep --type Keyword \
  --name SagaAccount --type Keyword \
  --name SagaProblem --type Keyword \
  --name SagaStuckSince --type Datetime
