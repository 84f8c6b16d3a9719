#!/usr/bin/env bash
# The checks for between two commits: the build, what reads the code, and the
# tests that need neither agents, a browser, a window nor the real CLI. Go's
# and the page's run side by side; go vet is part of golangci-lint, and ESLint
# and Go's tests read again only what has changed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
mkdir -p tests/out

go_side() {
  make build &&
    go tool -modfile=build/tools/go.mod golangci-lint run --build-tags webkit2_41 ./... &&
    go tool -modfile=build/tools/go.mod golangci-lint fmt --diff ./... &&
    go test -short ./backend/...
}
page_side() {
  npm --prefix frontend run --silent check:types &&
    npm --prefix frontend run --silent lint -- --cache --cache-strategy content --cache-location node_modules/.cache/eslint/ &&
    npm --prefix frontend run --silent check:messages &&
    npm --prefix frontend run --silent test
}

page_side >tests/out/check-page.log 2>&1 &
page=$!
failed=0
go_side || failed=1
wait "$page" || { failed=1; cat tests/out/check-page.log; }
exit "$failed"
