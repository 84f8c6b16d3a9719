#!/usr/bin/env bash
# Waits for minutes before it answers, through the real CLI, and prints what
# was seen. It takes a little over an hour and costs next to nothing meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."
build/setup.sh test
npm --prefix tests/real ci --no-audit --no-fund --loglevel=error
# More arguments go to go test, such as: -run '/(3m0s|5m30s)$'
go test -tags soak -count 1 -timeout 90m -parallel 12 -v "$@" ./tests/soak
