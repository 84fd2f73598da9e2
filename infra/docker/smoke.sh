#!/bin/sh
# Tries the production shape on this machine: builds the images, starts compose under a project name of its own, uses it, breaks it,
# restores it, upgrades it, and takes it down. Needs Docker with compose 2.24 or newer, and nothing else. One line per check; ends with
# the first that fails. The recipes are those of docs/operations, run as they are written there.
#
#   infra/docker/smoke.sh
#   SMOKE_IMAGES=registry.example.com/filewright infra/docker/smoke.sh    images that were built before, instead of building
#   SMOKE_FROM=registry.example.com/filewright infra/docker/smoke.sh      images of the version to upgrade from; else the upgrade is to itself
#   SMOKE_OVERRIDE=file.yml infra/docker/smoke.sh    one more compose file, such as a proxy for the build
#   SMOKE_KEEP=true infra/docker/smoke.sh            leaves everything running after a failure
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
port=${SMOKE_PORT:-3790}
project=filewright-smoke-$$
started=$(date +%s)

random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

cat > "$work/.env" <<IN
POSTGRES_PASSWORD=$(random)
REDIS_PASSWORD=$(random)
ADMIN_PASSWORD=$(random)
PUBLISH=127.0.0.1:$port
ADMIN_PUBLISH=$((port + 1))
BASE_URL=http://127.0.0.1:$port
IMAGES=$project
VERSION=a
RATE_LIMIT_PER_MINUTE=0
# Nobody answers there: what happens without the official signatures is part of the check.
CLAMAV_MIRROR=http://127.0.0.1:9
IN

# A stand-in for Ollama, reached by its name.
cat > "$work/smoke.yml" <<IN
services:
  sample-model:
    image: \${IMAGES}/inference-worker:a
    command: [node, /smoke/smoke-model.mjs]
    environment:
      MODEL_ALPHA_4O_MINI: qwen2.5-coder:1.5b
      MODEL_ALPHA_4O: qwen2.5-coder:7b
      MODEL_BETA_3: granite3.3:8b
      MODEL_GAMMA: qwen2.5-coder:0.5b
    volumes: ['$root/infra/docker:/smoke:ro']
    networks: { model: { aliases: [ollama] } }
IN

cd "$work" || exit 1
export COMPOSE_ENV_FILES="$work/.env" COMPOSE_PROJECT_NAME="$project" COMPOSE_PROFILES=
export COMPOSE_FILE="$root/docker-compose.yml:$work/smoke.yml${SMOKE_OVERRIDE:+:$SMOKE_OVERRIDE}"

down() {
  COMPOSE_PROJECT_NAME=$project-restored docker compose --profile tools down -v --remove-orphans > /dev/null 2>&1
  docker compose --profile tools down -v --remove-orphans > /dev/null 2>&1
  for app in gateway admin scan-worker inference-worker delivery-worker; do docker rmi "$project/$app:a" "$project/$app:b" > /dev/null 2>&1; done
  rm -rf "$work"
}

fail() {
  echo "FAILED  $1"
  sed 's/^/        /' "$work/output" | tail -n 20
  echo 'Warnings and errors of the apps:'
  docker compose logs --no-color gateway scan-worker inference-worker delivery-worker 2> /dev/null | grep -E '"level":[456]0' | tail -n 20 | cut -c 1-600
  if [ "${SMOKE_KEEP:-}" = true ]; then echo "Left running: project $project, settings in $work"; else down; fi
  exit 1
}

# A sentence, then the command that must succeed. What it printed last is shown.
check() {
  sentence=$1; shift
  begun=$(date +%s)
  "$@" > "$work/output" 2>&1 || fail "$sentence"
  echo "ok      $sentence ($(($(date +%s) - begun)) s) $(tail -n 1 "$work/output" | cut -c 1-150)"
}

client() {
  docker run --rm -i --network host -e "BASE=http://127.0.0.1:${at:-$port}" -e "TOKEN=${token:-}" -v "$root/infra/docker:/smoke:ro" \
    "$project/gateway:a" node /smoke/smoke-client.mjs "$@"
}

inside() { service=$1; shift; docker compose exec -T "$service" node --input-type=module - "$@" < "$root/infra/docker/smoke-client.mjs"; }

# Runs one block of commands of a page of the guide in its own shell: page, heading, number of the block.
recipe() {
  awk -v heading="$2" -v wanted="$3" '
    $0 == heading { found = 1; next }
    found && /^## / { exit }
    found && /^```sh$/ { block++; next }
    /^```$/ { if (block == wanted) exit; next }
    found && block == wanted' "$root/docs/operations/$1.md" | sed '/^git pull$/d' > "$work/recipe.sh"
  [ -z "${SMOKE_IMAGES:-}" ] || sed -i.old '/^docker compose build$/d' "$work/recipe.sh"
  grep -q '^set -eu$' "$work/recipe.sh" && sh "$work/recipe.sh"
}

settle() { sed -i.old "/^$1=/d" "$work/.env" && echo "$1=$2" >> "$work/.env"; }

ready() {
  for _ in $(seq 60); do
    docker compose exec -T gateway node -e "fetch('http://127.0.0.1:3001/health/ready').then(async (r) => { console.log(await r.text()); process.exit(r.ok ? 0 : 1) }, () => process.exit(1))" \
      && return 0
    sleep 1
  done
  return 1
}

below_limits() {
  docker stats --no-stream --format '{{.Name}} {{.MemPerc}} of {{.MemUsage}}' | grep "^$project-[a-z]" > "$work/memory"
  awk '{ share = $2 + 0; if (share > most) { most = share; line = $0 } if (share >= 95) bad = 1 } END { print line; exit bad }' "$work/memory"
}

says_why() { ready_text=$(docker compose exec -T gateway node -e "fetch('http://127.0.0.1:3001/health/ready').then(async (r) => console.log(await r.text()))"); echo "$ready_text" | grep -q 'no official signatures' && echo "$ready_text" | cut -c 1-120; }
doctor_says_why() { docker compose run --rm admin doctor > "$work/doctor"; grep 'lacks the official signatures' "$work/doctor"; }
build() {
  images=${SMOKE_IMAGES:-}
  [ "$1" = b ] || images=${SMOKE_FROM:-$images}
  if [ -z "$images" ]; then docker compose build -q gateway admin scan-worker inference-worker delivery-worker delivery-worker; return; fi
  for app in gateway admin scan-worker inference-worker delivery-worker; do
    docker tag "$images/$app" "$project/$app:$1" || return 1
  done
}
# `up --wait` gives up at once on a container that is unhealthy at this moment, as all are that miss what was killed.
start_again() { for _ in 1 2 3 4 5 6; do docker compose up -d --wait "$@" && return 0; sleep 10; done; return 1; }
kill_and_start() { docker compose kill "$1" && start_again && ready; }
kill_in() { docker compose exec -T "$1" sh -c 'kill -9 -1' > /dev/null 2>&1; sleep 1; start_again --no-recreate "$1" && ready; }

check 'the images are built' build a
check 'sizes of the images' sh -c "docker images --format '{{.Repository}} {{.Size}}' | grep '^$project/' | sed 's/^[^ ]*\///' | tr '\n' ' '"
check 'everything but the gateway starts' docker compose up -d --wait postgres redis clamav inference-worker delivery-worker sample-model
check 'the gateway starts' docker compose up -d --no-deps gateway scan-worker
check 'tables are made' docker compose run --rm migrate
token=$(docker compose run --rm -T admin token create --name smoke --project '*' --json 2> /dev/null | sed -n 's/.*"token": "\(.*\)".*/\1/p')

sleep 5
check 'an upload without official signatures is 503' client refused
check 'readiness says why' says_why
check 'the doctor says why' doctor_says_why
settle ALLOW_BASELINE_SIGNATURES true
check 'with the baseline allowed everything is up' docker compose up -d --wait
check 'readiness is well' ready

files=$(client upload 50) || fail 'a file of 50 MB is stored'
check 'a file of 50 MB comes back by its hash' client download "$files"
check 'the test virus is refused' client eicar
check 'ten files of 50 MB at once are stored' client upload 50 10
files=$files,$(tail -n 1 "$work/output")
check 'memory is below its limits' below_limits
check 'code is generated' client ask /api/ai/generate '{"prompt":"a constant","type":"code"}' 200
check 'code is analyzed' client ask /api/ai/analyze '{"code":"eval(input)","language":"js"}' 200

postgres=$(docker inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(docker compose ps -q postgres)")
check 'the scan worker reaches neither records nor the internet' inside scan-worker unreachable postgres:5432 "$postgres:5432" 1.1.1.1:443
check 'the inference worker reaches neither' inside inference-worker unreachable postgres:5432 "$postgres:5432" 1.1.1.1:443
check 'the model reaches nobody' inside sample-model unreachable redis:6379 gateway:3000 1.1.1.1:443

check 'recipe: scale' recipe scale '# Scale' 1
check 'three scan workers are there' sh -c '[ "$(docker compose ps -q scan-worker | wc -l)" = 3 ]'
check 'a killed gateway comes back' kill_in gateway
check 'a killed scan worker comes back' kill_in scan-worker
check 'a killed Redis comes back' kill_and_start redis
check 'a killed PostgreSQL comes back' kill_and_start postgres
check 'files are still there' client download "$files"

check 'recipe: rotate passwords' recipe every-day '### Rotate passwords' 1
check 'readiness is well' ready
check 'recipe: back up' recipe backup-and-upgrade '## Back up and restore' 1

settle VERSION b
[ -z "${SMOKE_IMAGES:-}" ] || build b
# A build whose layers are cached takes no time; with one that is not, an upgrade takes minutes. The share of failed requests is that of
# at least three minutes.
(sleep 180) & window=$!
(sleep 2; recipe backup-and-upgrade '## Upgrade' 1 > "$work/upgrade" 2>&1 || echo failed > "$work/upgrade-failed"; sleep 2; while kill -0 $window 2> /dev/null; do sleep 1; done) | client load 20 > "$work/load" 2>&1 &
load=$!
(while kill -0 $load 2> /dev/null; do sleep 1; done) | client slow 30 > "$work/slow" 2>&1 &
slow=$!
check 'recipe: upgrade, with uploads of 30 s under way' sh -c "while kill -0 $load 2> /dev/null; do sleep 1; done; cat '$work/upgrade'; [ ! -e '$work/upgrade-failed' ]"
wait $slow; result=$?
check 'no upload of 30 s was cut' sh -c "cat '$work/slow'; exit $result"
wait $load; result=$?
check 'fewer than 2 % of 20 requests per second failed in three minutes or more, and nothing was lost' sh -c "cat '$work/load'; exit $result"
check 'the new version runs' sh -c "docker compose ps --format '{{.Image}}' gateway | grep -q ':b$'"

settle PUBLISH "127.0.0.1:$((port + 2))"
settle ADMIN_PUBLISH $((port + 3))
export COMPOSE_PROJECT_NAME=$project-restored
check 'recipe: restore, into an empty project' recipe backup-and-upgrade '## Back up and restore' 2
at=$((port + 2))
check 'every file is back by its hash' client download "$files"
check 'reconcile finds nothing missing' docker compose run --rm admin reconcile
export COMPOSE_PROJECT_NAME=$project

down
echo "All well, in $(($(date +%s) - started)) s."
