#!/usr/bin/env bash
# The main job over a real API server of Kubernetes, whose node is played by kwok: not part
# of the tests, since it builds for a quarter of an hour. It needs kubectl and openssl.
# "up DIR" starts the cluster, says "ready", and waits; its files are in DIR.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/build/bin/cluster
api=16443 etcd=12379 node=16250

config() { # user token
  cat >"$1.conf" <<EOF
apiVersion: v1
kind: Config
clusters: [{name: local, cluster: {server: "https://127.0.0.1:$api", insecure-skip-tls-verify: true}}]
users: [{name: $1, user: {token: $2}}]
contexts: [{name: team, context: {cluster: local, user: $1}}]
current-context: team
EOF
}

until_true() { # what, command
  local what=$1
  shift
  for _ in $(seq 240); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.5
  done
  echo "$what did not start; see its log in $PWD" >&2
  return 1
}

up() {
  local docs=$PWD/docs/EXECUTORS.md
  cd "$1"
  openssl genrsa -out sa.key 2048 2>/dev/null
  openssl req -x509 -newkey rsa:2048 -nodes -keyout node.key -out node.crt -days 2 -subj /CN=127.0.0.1 2>/dev/null
  printf '%s\n' 'admintoken,admin,1,"system:masters"' 'adatoken,ada,2,"developers"' >tokens.csv
  config admin admintoken
  config ada adatoken
  export KUBECONFIG=$PWD/admin.conf
  "$bin/etcd" --data-dir etcd --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
    --listen-peer-urls http://127.0.0.1:12380 >etcd.log 2>&1 &
  "$bin/cluster" apiserver --etcd-servers="http://127.0.0.1:$etcd" --bind-address=127.0.0.1 --advertise-address=127.0.0.1 \
    --secure-port=$api --cert-dir=certs --token-auth-file=tokens.csv --authorization-mode=RBAC \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file=sa.key --service-account-signing-key-file=sa.key \
    --service-cluster-ip-range=10.0.0.0/24 --disable-admission-plugins=ServiceAccount --endpoint-reconciler-type=none >apiserver.log 2>&1 &
  until_true "the API server" kubectl get --raw /readyz
  "$bin/cluster" controllers --kubeconfig=admin.conf --leader-elect=false --secure-port=0 \
    --controllers=job-controller,garbage-collector-controller,node-lifecycle-controller >controllers.log 2>&1 &
  "$bin/cluster" scheduler --kubeconfig=admin.conf --leader-elect=false --secure-port=0 >scheduler.log 2>&1 &
  "$bin/kwok" --kubeconfig=admin.conf --manage-all-nodes --node-ip=127.0.0.1 --node-port=$node --server-address=127.0.0.1:$node \
    --tls-cert-file=node.crt --tls-private-key-file=node.key --config="$bin/stages.yaml" --config=exec.json >kwok.log 2>&1 &
  kubectl create namespace agents >/dev/null
  # The rights are those that the document gives.
  awk '/^   ```yaml/ {on = 1; next} on && /^   ```/ {exit} on {print substr($0, 4)}' "$docs" | kubectl create -f - >/dev/null
  kubectl create -f - >/dev/null <<EOF
apiVersion: v1
kind: Node
metadata: {name: node-1, annotations: {kwok.x-k8s.io/node: fake}}
status:
  allocatable: {cpu: "32", memory: 64Gi, pods: "110"}
  capacity: {cpu: "32", memory: 64Gi, pods: "110"}
EOF
  until_true "the node" kubectl wait --for=condition=Ready node/node-1 --timeout=1s
  echo ready
  wait
}

# A pod runs once it has a node, and is gone once it is deleted; kwok's own stages for Jobs,
# which complete at once, are left out.
build() {
  mkdir -p "$bin"
  # kubectl reads its version.
  CGO_ENABLED=0 go build -C build/cluster -ldflags '-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3' -o "$bin/cluster" .
  CGO_ENABLED=0 go build -C build/cluster/etcd -trimpath -ldflags '-s -w' -o "$bin/etcd" .
  local kwok
  kwok=$(go list -C build/cluster/kwok -m -f '{{.Dir}}' sigs.k8s.io/kwok)
  # kwok leaves the stdin of what it runs open when the other end has closed it.
  rm -rf "$bin/source"
  cp -r "$kwok" "$bin/source"
  chmod -R u+w "$bin/source"
  sed -i 's/_, _ = io.Copy(inPipe, opt.In)/&; _ = inPipe.Close()/' "$bin/source/pkg/utils/exec/exec.go"
  cp build/cluster/kwok/go.mod "$bin/kwok.mod"
  cp build/cluster/kwok/go.sum "$bin/kwok.sum"
  go mod edit -replace "sigs.k8s.io/kwok=$bin/source" "$bin/kwok.mod"
  CGO_ENABLED=0 go build -C build/cluster/kwok -modfile "$bin/kwok.mod" -ldflags '-s -w' -o "$bin/kwok" sigs.k8s.io/kwok/cmd/kwok
  rm -f "$bin/stages.yaml"
  for stage in node/fast/node-initialize node/heartbeat/node-heartbeat pod/fast/pod-ready pod/fast/pod-delete; do
    cat "$kwok/kustomize/stage/$stage.yaml" >>"$bin/stages.yaml"
    echo --- >>"$bin/stages.yaml"
  done
}

if [ "${1:-}" = up ]; then
  up "$2"
else
  build
  npm --prefix tests/real ci --no-audit --no-fund --loglevel=error
  go test -tags cluster -count 1 -timeout 300s -v -run '^TestTheMainJobInARealCluster$' ./tests/real
fi
