#!/bin/sh
# Keeps a copy of ClamAV's signatures that others fetch from (infra/k8s/base/signatures.yaml).
set -eu
database=${CLAMAV_DATABASE:-/signatures}
temporary=${CLAMAV_TEMP:-/tmp}

# The first process of a container ignores SIGTERM unless it has a handler, and sh calls handlers only between commands
# or in `wait`. So everything that takes long runs in the background.
trap 'kill "${!:-}" 2> /dev/null; exit 143' TERM INT
run() { "$@" & wait "$!"; }

# A fetch that was cut off leaves its folder.
rm -rf "$database"/tmp.*
# Whole files (ScriptedUpdates no), because a mirror must not hand out what freshclam has patched for itself. Loading them
# takes 1.3 GiB: each scan worker loads what it has fetched. freshclam verifies ClamAV's signature on every download.
printf '%s\n' "DatabaseDirectory $database" 'DatabaseMirror database.clamav.net' 'ScriptedUpdates no' 'TestDatabases no' \
  'Checks 12' 'Bytecode yes' > "$temporary/freshclam.conf"

until run freshclam --config-file="$temporary/freshclam.conf" --foreground --stdout; do
  # ClamAV's servers refuse who asks too often.
  run sleep "${CLAMAV_RETRY_SECONDS:-300}"
done
run freshclam --config-file="$temporary/freshclam.conf" --daemon --foreground --stdout
