#!/usr/bin/env bash
# The checks for between two commits: what reads the code, and the tests that
# need neither agents, a browser, a window nor the real CLI. The page's and Go's
# run side by side.
set -uo pipefail
cd "$(dirname "$0")/.."
mkdir -p tests/out

npm --prefix frontend run --silent check >tests/out/check-page.log 2>&1 &
page=$!
failed=0
go vet -tags webkit2_41 ./... || failed=1
build/lint.sh || failed=1
go test -short ./backend/... || failed=1
wait "$page" || { failed=1; cat tests/out/check-page.log; }
exit "$failed"
