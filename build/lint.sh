#!/usr/bin/env bash
# Every check that reads Go's code without running it, go vet's among them.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=build/tool.sh
. build/tool.sh
# As Beckon is built that ships: its packages are compiled already.
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false'
lint=$(tool golangci-lint)
"$lint" run --build-tags webkit2_41 ./...
"$lint" fmt --diff ./...
