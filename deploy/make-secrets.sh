#!/bin/sh
# Makes the secrets that docker-compose.yml mounts, in deploy/secrets. Safe to run again: a file that
# is there is left as it is. Keep a copy of encryption_keys in another place: what the database has
# sealed opens with nothing else.
set -eu

folder="$(dirname "$0")/secrets"
# The folder keeps other users of this machine out; the files in it must be readable by the users
# of the containers, who are not the one that runs this.
mkdir -p "$folder"
chmod 700 "$folder"

# Random bytes as hexadecimal digits, which mean nothing special in an address or a shell.
digits() {
  od -An -v -N"$1" -tx1 /dev/urandom | tr -d ' \n'
}

# Without these a secret would be empty, and nobody would notice.
for program in od head base64 tr; do
  command -v "$program" > /dev/null || { echo "$program is missing: nothing was made" >&2; exit 1; }
done

# Writes a file whole or not at all.
keep() {
  if [ -e "$folder/$1" ]; then
    echo "kept  $folder/$1"
    return
  fi
  printf '%s' "$2" > "$folder/.$1.new"
  chmod 444 "$folder/.$1.new"
  mv "$folder/.$1.new" "$folder/$1"
  echo "made  $folder/$1"
}

keep postgres_password "$(digits 24)"
keep temporal_database_password "$(digits 24)"
keep database_url "postgres://recourse:$(digits 24)@postgres:5432/recourse"
keep encryption_keys "k1:$(head -c 32 /dev/urandom | base64)"

# What the providers know you by is theirs to give: empty until you put it in.
for provider in payments flights hotels messages; do
  keep "${provider}_key" ''
  chmod 644 "$folder/${provider}_key"
  [ -s "$folder/${provider}_key" ] || echo "      empty: put the key of $provider into it"
done
