#!/usr/bin/env bash
# Passes every test there is, and says at the end which stages passed. Takes
# the names of stages to run only those.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 CI="${CI:-}"
mkdir -p tests/out
build/leftovers.sh before

# The test programs, as tests/races says it of those that they start.
export GORACE=atexit_sleep_ms=20:no_huge_pages_for_shadow=0

# huge_pages has memory come in pages of 2 MB while tests run, where that may be set: in a
# virtual machine whose page tables are software's, as CI's can be, each page of 4 KB
# costs 12 µs, and a build takes a quarter longer.
huge_pages() {
  local file=/sys/kernel/mm/transparent_hugepage/enabled
  [ -w $file ] || return 0
  pages_were=$(sed 's/.*\[\(.*\)\].*/\1/' $file)
  trap 'echo "$pages_were" >/sys/kernel/mm/transparent_hugepage/enabled' EXIT
  echo always >$file
}
huge_pages

# No debugger looks at what tests build, and links without its tables are faster.
# SQLite is C that a machine has turned into Go. Watched for races it takes six
# times as long, and there are none of ours in it; its driver is watched.
flags='-ldflags=-w -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false'

stage_setup() {
  build/setup.sh test || return
  npm --prefix frontend ci --no-audit --no-fund --loglevel=error || return
  npm --prefix tests/real ci --no-audit --no-fund --loglevel=error || return
  npm --prefix tests/conformance ci --no-audit --no-fund --loglevel=error || return
  npm --prefix tests/browser ci --no-audit --no-fund --loglevel=error
}
# ESLint reads it in the stage lint, once.
stage_page() {
  npm --prefix frontend run check:types &&
    npm --prefix frontend run check:messages &&
    npm --prefix frontend run test &&
    npm --prefix frontend run build
}
stage_build() { make build; }
stage_systems() {
  go vet -tags webkit2_41,window,soak,packages ./... &&
    CGO_ENABLED=0 GOOS=windows go build -trimpath -buildvcs=false -tags desktop,production,wv2runtime.browser -o /dev/null . &&
    CGO_ENABLED=0 GOOS=windows go vet ./... &&
    CGO_ENABLED=0 GOOS=darwin go vet ./...
}
stage_generated() {
  local before
  before=$(find frontend/wailsjs -type f -exec sha256sum {} + | sort)
  build/generate.sh || return
  [ "$before" = "$(find frontend/wailsjs -type f -exec sha256sum {} + | sort)" ] ||
    { echo "frontend/wailsjs is stale: run make generate and commit it."; return 1; }
}
stage_lint() { build/lint.sh; }
stage_go() { GOFLAGS=$flags sum go -count=1 -race -timeout 2400s . ./backend/... ./tests/mockapi ./tests/client ./tests/crash ./tests/netjail; }
stage_conformance() { go test -count 1 -timeout 90s -v ./tests/conformance; }
# The real CLI's tests wait more than they compute: more of them than there are cores at a time.
stage_real() { GOFLAGS=$flags sum real -count=1 -race -timeout 2400s -parallel 5 ./tests/real; }
stage_observe() { GOFLAGS=$flags sum observe -count=1 -race -timeout 1200s -parallel 4 ./tests/observe/...; }
stage_window() { sum window -count=1 -timeout 600s -tags window ./tests/window; }
stage_desktop() { sum desktop -count=1 -timeout 600s -tags window ./tests/desktop; }
# The browser's tests run where there is nothing but loopback, and where each
# attempt to reach further is seen and fails them.
stage_browser() {
  npm --prefix tests/browser run check &&
    go build -o tests/out/netjail ./tests/netjail &&
    (cd tests/browser && ../out/netjail node_modules/.bin/playwright test --project=specs)
}
stage_packages() { build/package.sh && sum packages -count=1 -timeout 300s -tags packages ./tests/packages; }
stage_clean() { build/leftovers.sh after; }

# failures prints what failed in a stage, from its log: the tests, each with the first
# words of why, else the log's end.
failures() {
  local tests
  tests=$(awk '
    /^ *(=== FAIL:|[0-9]+\) \[specs\] ›|FAIL +.*\.test\.ts)/ { left = seen[$0]++ ? 0 : 9 }
    left > 0 && NF { print substr($0, 1, 200); left-- }' "$1" | head -30)
  sed 's/^/  /' <<<"${tests:-$(tail -5 "$1")}"
}

# sum runs go test and prints a summary of its tests. Its timeout is several times what
# they take on two cores: it ends what hangs, and not what is slow. They build the program
# themselves, which go test's cache does not see: hence -count=1 everywhere. The
# stage systems has vetted them all, with every check; go test would vet each
# package again, with a few.
sum() {
  local name=$1
  shift
  go tool -modfile=build/tools/go.mod gotestsum --format pkgname --junitfile "tests/out/$name.xml" -- -vet=off "$@"
}

# run passes a stage, and keeps what it said, whether it passed and its seconds.
run() {
  local began=$SECONDS verdict=FAILED
  "stage_$1" 2>&1 | tee "tests/out/$1.log" && verdict=passed
  echo "$verdict $((SECONDS - began))" >"tests/out/$1.verdict"
}

stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(setup page build systems generated lint conformance packages go real observe window desktop browser clean)
passed=0 failed=0 lines=() beside=
for i in "${!stages[@]}"; do
  stage=${stages[i]}
  printf '\n== %s\n' "$stage"
  # The suite waits for signs of life that come ten seconds apart: it runs beside the stage before it.
  if [ "$stage:${stages[i + 1]:-}" = lint:conformance ]; then
    run conformance >/dev/null &
    beside=$!
  fi
  if [ "$stage" = conformance ] && [ -n "$beside" ]; then
    wait "$beside"
    cat tests/out/conformance.log
  else
    run "$stage"
  fi
  read -r verdict took <"tests/out/$stage.verdict"
  if [ "$verdict" = passed ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  lines+=("$(printf '%-11s %-6s %4d s' "$stage" "$verdict" "$took")")
  [ "$verdict" = passed ] || lines+=("$(failures "tests/out/$stage.log")")
  # Nothing after these works without them.
  case $stage:$verdict in setup:FAILED | build:FAILED) break ;; esac
done

printf '\n'
printf '%s\n' "${lines[@]}"
printf 'stages: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
