#!/bin/sh
# Starts clamd in a container, as an ordinary user: our configuration, our signatures, and the official ones kept up to date.
set -eu
here=${CLAMAV_SOURCE:-/opt/filewright/clamav}
database=${CLAMAV_DATABASE:-/var/lib/clamav}
temporary=${CLAMAV_TEMP:-/tmp}

# What a killed clamd had unpacked would stay there for ever.
rm -rf "${temporary:?}"/*
# What an earlier version put there is no longer wanted.
rm -f "$database"/filewright.*
# A fetch that was cut off leaves its folder.
rm -rf "$database"/tmp.*
cp "$here"/*.ndb "$here"/*.cfg "$database"/
# No log file and no pid file: what it has to say goes to the container's output.
sed -e "s|{{SOCKET}}|$temporary/clamd.sock|" -e "s|{{DATABASE_DIR}}|$database|" -e "s|{{TEMP_DIR}}|$temporary|" -e '/{{/d' \
  "$here/clamd.conf" > "$temporary/clamd.conf"
printf '%s\n' 'TCPSocket 3310' "TCPAddr ${CLAMAV_LISTEN:-0.0.0.0}" >> "$temporary/clamd.conf"
# A mirror of your own (CLAMAV_MIRROR, an address such as https://mirror.example.com), or ClamAV's.
mirror='DatabaseMirror database.clamav.net'
[ -z "${CLAMAV_MIRROR:-}" ] || mirror="PrivateMirror $CLAMAV_MIRROR"
printf '%s\n' "DatabaseDirectory $database" "$mirror" "NotifyClamd $temporary/clamd.conf" 'Checks 12' 'Bytecode yes' \
  > "$temporary/freshclam.conf"

# The first process of a container ignores SIGTERM unless it has a handler, and sh calls handlers only between commands
# or in `wait`: so the fetch runs in the background.
trap 'kill "${!:-}" 2> /dev/null; exit 143' TERM INT
fetch() { freshclam --config-file="$temporary/freshclam.conf" --foreground --stdout & wait "$!"; }
keep_fetching() {
  until fetch; do sleep "${CLAMAV_RETRY_SECONDS:-300}"; done
  exec freshclam --config-file="$temporary/freshclam.conf" --daemon --foreground --stdout
}

# A clamd that was killed has signatures of this day or the last, and loads them at once. Otherwise the first fetch takes
# minutes. Without a way to the mirrors, clamd starts with what is there, and the fetch is tried again.
if [ -n "$(find "$database" -name 'daily.c[lv]d' -mtime -2)" ]; then
  keep_fetching &
elif fetch; then
  keep_fetching &
else
  echo 'The official signatures could not be fetched; going on with what is there.'
  (sleep "${CLAMAV_RETRY_SECONDS:-300}"; keep_fetching) &
fi
# Compose cannot limit the size of a volume, and Kubernetes ends the whole pod beyond its limit. A clamd that starts again
# removes what it had unpacked, and its scans go back to the queue.
limit_room() {
  while sleep "${CLAMAV_TEMP_CHECK_SECONDS:-10}"; do
    # Files vanish while du counts them.
    used=$(du -sm "$temporary" 2> /dev/null | cut -f 1) || true
    [ "${used:-0}" -gt "${CLAMAV_TEMP_MAX_MB:-12000}" ] || continue
    echo "clamd has unpacked $used MB, more than CLAMAV_TEMP_MAX_MB allows: it starts again."
    # This shell's own id, which clamd takes over.
    kill -TERM "$$"
    sleep 5
    kill -KILL "$$"
  done
}
limit_room &
exec clamd --foreground --config-file="$temporary/clamd.conf"
