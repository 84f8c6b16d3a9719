#!/usr/bin/env bash
# Waits for minutes before it answers, through the real CLI, and prints what
# was seen. It takes about 13 minutes and costs next to nothing meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."
build/setup.sh test
npm --prefix tests/real ci --no-audit --no-fund --loglevel=error
go test -tags soak -count 1 -timeout 30m -parallel 8 -v ./tests/soak
