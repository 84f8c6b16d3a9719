#!/usr/bin/env bash
# The checks for between two commits: the build, what reads the code, and the tests that
# need neither agents, a browser, a window nor the real CLI. Go's come from its cache,
# those of the page are those of what changed. The budget of the last make test is looked
# at, too.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
# shellcheck source=build/tool.sh
. build/tool.sh
mkdir -p tests/out
# As Beckon is built that ships: its packages are compiled once.
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false'

go_side() {
  make -s build/bin/beckon &&
    "$(tool golangci-lint)" run --build-tags webkit2_41 ./... &&
    "$(tool golangci-lint)" fmt --diff ./... &&
    go test -short -vet=off -ldflags=-w . ./backend/... ./tests/mockapi ./tests/client ./tests/timeout ./tests/report ./tests/missing
}
page_side() {
  npm --prefix frontend run --silent check:messages &&
    npm --prefix frontend run --silent lint -- --cache --cache-strategy content --cache-location node_modules/.cache/eslint/ &&
    npm --prefix frontend run --silent lint:format -- --cache || return
  # What the last check passed is not looked at again.
  local files=tests/out/check-page.sum
  find frontend -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -exec sha256sum {} + | sort >"$files.now"
  ! cmp -s "$files" "$files.now" || return 0
  npm --prefix frontend run --silent check:types &&
    npm --prefix frontend run --silent test -- --changed="$(git merge-base HEAD origin/main 2>/dev/null || echo HEAD)" --passWithNoTests &&
    mv "$files.now" "$files"
}

page_side >tests/out/check-page.log 2>&1 &
page=$!
failed=0
go_side || failed=1
wait "$page" || { failed=1; cat tests/out/check-page.log; }
[ ! -s tests/out/stages.tsv ] || go run ./tests/report budget tests/out || failed=1
exit "$failed"
