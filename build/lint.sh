#!/usr/bin/env bash
# Every check that reads the code without running it.
set -euo pipefail
cd "$(dirname "$0")/.."

golangci=2.15.0
bin="$(go env GOPATH)/bin/golangci-lint"
if ! "$bin" version 2>/dev/null | grep -qF "version v$golangci"; then
  go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$golangci"
fi
"$bin" run --build-tags webkit2_41 ./...
"$bin" fmt --diff ./...
npm --prefix frontend run lint
