#!/bin/sh
# Deploys an overlay to the cluster of kubectl's current context and checks it from inside: files, malware, the CDN's path, AI, network
# policies, a second apply, and rolling restarts under load. Needs kubectl and the secrets of docs/operations/kubernetes.md. One line per check;
# the last line counts them, and the exit code is 1 if one failed. What was deployed stays; the files, token and pod of the checks do not.
#
#   infra/k8s/smoke.sh infra/k8s/overlays/yours
#   SMOKE_TIMEOUT=40m infra/k8s/smoke.sh …      for a rollout; the first one fetches 300 MB of signatures (default 20m)
set -u
overlay=${1:?the folder of an overlay}
client_script=$(cd "$(dirname "$0")/../docker" && pwd)/smoke-client.mjs
timeout=${SMOKE_TIMEOUT:-20m}
work=$(mktemp -d)
passed=0 failed=0 token='' token_id='' proxies=''

fw() { kubectl -n filewright "$@"; }
admin() { fw exec deploy/admin -- node main.js "$@"; }
client() { kubectl -n "$proxies" exec -i filewright-smoke -- env "TOKEN=$token" node /smoke/smoke-client.mjs "$@"; }
anonymous() { token='' client "$@"; }

# A sentence, then the command that must succeed. The last line that it printed is shown, and more if it failed.
check() {
  sentence=$1; shift
  begun=$(date +%s)
  if "$@" > "$work/output" 2>&1 < /dev/null; then
    passed=$((passed + 1)); echo "ok      $sentence ($(($(date +%s) - begun)) s) $(tail -n 1 "$work/output" | cut -c 1-150)"
  else
    failed=$((failed + 1)); echo "FAILED  $sentence ($(($(date +%s) - begun)) s)"; tail -n 20 "$work/output" | sed 's/^/        /'
    return 1
  fi
}

finish() {
  [ -z "$token_id" ] || admin token revoke "$token_id" > /dev/null 2>&1
  [ -z "$proxies" ] || kubectl -n "$proxies" delete pod,configmap filewright-smoke --ignore-not-found --grace-period=1 > /dev/null 2>&1
  rm -rf "$work"
  echo "$passed passed, $failed failed, in $(($(date +%s) - started)) s"
  [ "$failed" = 0 ]
}
started=$(date +%s)
# Without the deployment there is nothing to check.
must() { check "$@" || { fw get pods; finish; exit 1; }; }

has_secrets() { fw get secret filewright-database filewright-redis filewright-admin -o name; }

deploy() {
  # A Job cannot be changed.
  fw delete job migrate --ignore-not-found && kubectl apply -k "$overlay" && fw wait --for=condition=complete --timeout="$timeout" job/migrate
}

# An apply leaves a Deployment alone that was scaled to 0.
is_stopped() { [ "$(fw get "$1" -o 'jsonpath={.spec.replicas}')" = 0 ] && echo "$1 has 0 replicas: start it with kubectl scale"; }
rolled_out() { for name in $(fw get deploy,statefulset -o name); do ! is_stopped "$name" && fw rollout status --timeout="$timeout" "$name" || return 1; done; }

no_pod_restarts() {
  fw get pods -o 'jsonpath={range .items[*]}{.metadata.name}{" "}{.status.initContainerStatuses[*].restartCount}{" "}{.status.containerStatuses[*].restartCount}{"\n"}{end}' > "$work/restarts"
  cat "$work/restarts"; awk '{ for (i = 2; i <= NF; i++) if ($i > 0) bad = 1 } END { print NR " pods"; exit bad }' "$work/restarts"
}

# In the namespace of the Gateway's proxies, the only one from which the policies let requests in.
start_client() {
  proxies=$(fw get networkpolicy gateway-public -o 'jsonpath={.spec.ingress[0].from[0].namespaceSelector.matchLabels.kubernetes\.io/metadata\.name}')
  kubectl get namespace "$proxies" || kubectl create namespace "$proxies" || return 1
  kubectl -n "$proxies" delete pod,configmap filewright-smoke --ignore-not-found --grace-period=1
  kubectl -n "$proxies" create configmap filewright-smoke --from-file="$client_script" || return 1
  kubectl -n "$proxies" apply -f - <<IN
apiVersion: v1
kind: Pod
metadata: { name: filewright-smoke }
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: client
      image: $(fw get deploy gateway -o 'jsonpath={.spec.template.spec.containers[0].image}')
      command: [sleep, infinity]
      env: [{ name: BASE, value: 'http://gateway.filewright' }]
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
      resources: { requests: { cpu: 10m, memory: 64Mi } }
      volumeMounts: [{ name: smoke, mountPath: /smoke }]
  volumes: [{ name: smoke, configMap: { name: filewright-smoke } }]
IN
  kubectl -n "$proxies" wait --for=condition=Ready --timeout=2m pod/filewright-smoke
}

create_token() {
  admin token create --name smoke --project smoke --json > "$work/token" || return 1
  token=$(sed -n 's/.*"token": "\(.*\)".*/\1/p' "$work/token"); token_id=$(sed -n 's/.*"id": "\(.*\)".*/\1/p' "$work/token")
  [ -n "$token" ]
}

upload() { client upload "$@" && files=$(tail -n 1 "$work/output"); }
accepts_uploads() { for _ in $(seq 24); do upload 1 && return 0; sleep 5; done; return 1; }
# 200 from a model, 503 without one.
generates() { client ask /api/ai/generate '{"prompt":"a constant","type":"code"}' 200 || client ask /api/ai/generate '{"prompt":"a constant","type":"code"}' 503; }
from() { fw exec -i "deploy/$1" -c "$1" -- node --input-type=module - unreachable "$2" < "$client_script"; }

# The address of PostgreSQL is in the policy; the workers have none of its secrets.
postgres() { fw get networkpolicy to-postgres -o 'jsonpath={.spec.egress[0].to[0].ipBlock.cidr}:{.spec.egress[0].ports[0].port}' | sed 's|/[0-9]*:|:|'; }
gateway_ip() { fw get pods -l app=gateway -o 'jsonpath={.items[0].status.podIP}'; }

applies_again() { kubectl apply -k "$overlay" && rolled_out; }
# The load goes on until the rollout has ended and the old pod is gone.
restarts_under_load() {
  rm -f "$work/restarted"
  { sleep 2; fw rollout restart "deploy/$1" && fw rollout status --timeout="$timeout" "deploy/$1" && touch "$work/restarted"; sleep 15; } > "$work/rollout" 2>&1 | client load 4 0 \
    && [ -e "$work/restarted" ]
}
# A strategy that stops the old pods first cannot go on without a gap.
starts_new_first() { [ "$(fw get deploy "$1" -o 'jsonpath={.spec.strategy.rollingUpdate.maxUnavailable}')" = 0 ]; }

must 'the secrets are there' has_secrets
must 'the overlay is applied and the tables are made' deploy
must 'all pods are ready' rolled_out
must 'a client starts where the proxies are' start_client
must 'a token is created' create_token

must 'an upload is stored' accepts_uploads
small=$files
check 'readiness and the doctor are well' admin doctor
check 'a request without a token is 401' anonymous get '/api/files?project_id=smoke' 401
check 'a foreign project is 403' client get '/api/files?project_id=other' 403
stored=$small
check 'a file of 50 MB is stored' upload 50 && stored=$small,$files && check 'it comes back by its hash' client download "$files"
check 'the list shows files' client get '/api/files?project_id=smoke' 200
check 'a file has information' client get "/api/files/${small%%:*}" 200
check 'the service describes itself' client get /api/service 200
check 'the OpenAPI document is there' client get /openapi.json 200
check 'the CDN path needs no token and knows ETags and ranges' client cdn "$small"
check 'the test virus is refused' client eicar
check 'models are listed' client get /api/ai/models 200
check 'code is analyzed' client ask /api/ai/analyze '{"code":"eval(input)","language":"javascript"}' 200
check 'code is optimized' client ask /api/ai/optimize '{"code":"export function sum (list) {\n  var total = 0\n  for (var i = 0; i < list.length; i++) { total += list[i] }\n  return total\n}","language":"javascript"}' 200
check 'code is generated, or 503 without a model' generates

check 'the proxies do not reach the operators port' client unreachable "$(gateway_ip):3001"
check 'a scan worker does not reach PostgreSQL' from scan-worker "$(postgres)"
check 'an inference worker does not reach PostgreSQL' from inference-worker "$(postgres)"

check 'the overlay can be applied again' applies_again
for deployment in gateway inference-worker scan-worker delivery-worker; do
  starts_new_first "$deployment" || { echo "skipped a restart of $deployment under load: its strategy stops the old pod first"; continue; }
  check "no request fails while $deployment restarts" restarts_under_load "$deployment"
done
check 'the files are still there' client download "$stored"
check 'files are removed' client remove "$stored"
check 'no container was restarted' no_pod_restarts
finish
