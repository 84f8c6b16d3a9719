#!/usr/bin/env bash
# Runs the tests, in tiers, and says at the end which stages passed and what they cost.
#
#   build/test.sh            what each change passes: the smoke of every kind of test, and
#                            whole the stages of the paths that changed (below)
#   build/test.sh all        every test there is
#   build/test.sh STAGE ...  those stages whole, one after the other
set -uo pipefail
cd "$(dirname "$0")/.." || exit
# shellcheck source=build/tool.sh
. build/tool.sh
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 CI="${CI:-}"
out=tests/out
mkdir -p $out
build/leftovers.sh before

# paths has what a change of a path asks for besides the smoke: the beginnings of paths, or
# their ends after a *, and the stages that test them whole. .ci/run and a developer's make
# test decide by it alike.
paths='
backend/executor/ backend/beckon/executing/ tests/executors/ tests/fixture/ tests/kubectl/ tests/cluster/  executors
backend/agent/acp/ backend/agent/process/ tests/agents/                          agents
backend/observe/ backend/external/ tests/observe/                      observe
backend/agent/ backend/runner/ backend/question/ backend/toolserver/ backend/board/ tests/real/ tests/mockapi/ tests/runnertest/  real
frontend/ backend/web/ backend/feed/ tests/browser/                    browser
backend/desktop/ backend/program/window.go tests/window/ tests/desktop/  window desktop
build/package build/linux/ build/windows/ build/darwin/ build/icons build/release build/install build/version build/identity tests/packages/  packages
go.mod *_windows.go *_darwin.go *_other.go *_unix.go                   systems
'
# quick_most is what those stages may take on two quick cores, in seconds: ten minutes
# there are thirty on slow ones. What is beyond it is named at the end.
quick_most=600

# quick_seconds says what a whole stage takes on two quick cores: a third of what was
# measured on two slow ones.
quick_seconds() {
  case $1 in
    browser) echo 1000 ;; real) echo 300 ;; executors) echo 460 ;; observe) echo 170 ;; agents) echo 75 ;;
    packages) echo 105 ;; window) echo 55 ;; desktop) echo 35 ;; systems) echo 45 ;; *) echo 0 ;;
  esac
}

# The test programs, as tests/races says it of those that they start.
export GORACE=atexit_sleep_ms=20:no_huge_pages_for_shadow=0
# As the program is built that ships: what it was compiled to serves the tests as well.
export GOFLAGS='-trimpath -buildvcs=false'
# No debugger looks at what tests build, and links without its tables are faster.
plain='-ldflags=-w'
# SQLite is C that a machine has turned into Go. Watched for races it takes six
# times as long, and there are none of ours in it; its driver is watched. So does what
# packs the helper for a host.
watched="$GOFLAGS -ldflags=-w -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false -gcflags=compress/flate=-race=false"
# What these test programs build themselves they watch, too, and share.
export BECKON_TEST_PROGRAMS=$PWD/$out/programs

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

# npm_ci installs what a folder's lock names, unless it is there.
npm_ci() {
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] ||
    npm --prefix "$1" ci --no-audit --no-fund --loglevel=error
}
stage_setup() {
  build/setup.sh build "${stages[@]%-smoke}" && npm_ci frontend || return
  local stage
  for stage in "${stages[@]%-smoke}"; do
    case $stage in
      real | newest | observe | executors) npm_ci tests/real ;;
      agents) npm_ci tests/real && npm_ci tests/agents ;;
      browser | conformance) npm_ci "tests/$stage" ;;
    esac || return
  done
}
stage_build() { make -s build; }
stage_page() {
  npm --prefix frontend run check:types &&
    npm --prefix frontend run check:messages &&
    npm --prefix frontend run test -- --reporter=default --reporter=junit --outputFile.junit="../$out/page.xml" &&
    npm --prefix frontend run lint &&
    npm --prefix frontend run lint:format
}
stage_systems() {
  go vet -tags webkit2_41,window,soak,packages ./... &&
    CGO_ENABLED=0 GOOS=windows go build -tags desktop,production,wv2runtime.browser -o /dev/null . &&
    CGO_ENABLED=0 GOOS=windows go vet ./... &&
    CGO_ENABLED=0 GOOS=darwin go vet ./...
}
stage_generated() {
  local before
  before=$(generated)
  build/generate.sh || return
  [ "$before" = "$(generated)" ] || { echo "frontend/wailsjs, backend/api/methods.go or backend/packages.txt is stale: run make generate and commit them."; return 1; }
}
generated() { find frontend/wailsjs backend/api/methods.go backend/packages.txt -type f -exec sha256sum {} + | sort; }
stage_lint() { build/lint.sh; }

# packages_with lists Go's tested packages: with "race" those whose code or tests start a
# goroutine or hold a lock, with "plain" the others.
packages_with() {
  local package dir
  # shellcheck disable=SC2086
  go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' $everywhere | while read -r package dir; do
    if grep -qE '^\s*go (func\b|[A-Za-z])|\b(sync|atomic)\.' "$dir"/*.go; then echo "race $package"; else echo "plain $package"; fi
  done | sed -n "s/^$1 //p"
}
# everywhere is where the tests are that need neither the real claude, a browser nor a window.
everywhere='. ./backend/... ./tests/mockapi ./tests/client ./tests/crash ./tests/netjail ./tests/timeout ./tests/report ./tests/missing ./tests/telegramtest'
stage_go() {
  # shellcheck disable=SC2046,SC2086
  GOFLAGS=$watched sum go.race -count=1 -race -timeout 2400s $(packages_with race) &&
    CGO_ENABLED=0 sum go.plain -count=1 $plain -timeout 1200s $(packages_with plain)
}
stage_go-all() {
  # shellcheck disable=SC2086
  GOFLAGS=$watched sum go-all -count=1 -race -timeout 2400s $everywhere
}
stage_conformance() { go test -count 1 -timeout 600s -v ./tests/conformance; }
# The real CLI's tests wait more than they compute: more of them than there are cores at a time.
stage_real() { GOFLAGS=$watched sum real -count=1 -race -timeout 2400s -parallel 5 ./tests/real; }
# They have the machine's processor work more than those: sshd, engines, Slurm.
stage_executors() { GOFLAGS=$watched sum executors -count=1 -race -timeout 2400s -parallel 3 ./tests/executors; }
stage_observe() { GOFLAGS=$watched sum observe -count=1 -race -timeout 1200s -parallel 4 ./tests/observe/...; }
# The real agents that speak ACP, offline.
stage_agents() { GOFLAGS=$watched sum agents -count=1 -race -timeout 1200s ./tests/agents; }
stage_window() { sum window -count=1 -timeout 600s -tags window ./tests/window; }
stage_desktop() { sum desktop -count=1 -timeout 600s -tags window ./tests/desktop; }
stage_real-smoke() { GOFLAGS=$watched smoke real-smoke "$(partly real observe)" -race -timeout 1200s -parallel 5; }
# The newest CLI plays the smoke too, beside the oldest one's whole stage or smoke.
stage_newest() { BECKON_TEST_CLI=newest GOFLAGS=$watched smoke newest real -race -timeout 1200s -parallel 5; }
stage_window-smoke() { smoke window-smoke "$(partly window desktop)" -timeout 600s -tags window -p 1; }

# partly prints those folders of tests that are no whole stage of this run.
partly() {
  local folder
  for folder in "$@"; do [[ " ${stages[*]} " == *" $folder "* ]] || echo "$folder"; done
}

# smoke runs the tests of tests/smoke.txt in folders of tests, and fails unless each of them
# ran.
smoke() {
  local name=$1 folders=$2 list ran
  shift 2
  list=$(grep -E "^tests/(${folders//$'\n'/|}) " tests/smoke.txt)
  # shellcheck disable=SC2046
  sum "$name" -count=1 "$@" -run "^($(awk '{print $2}' <<<"$list" | paste -sd '|'))\$" $(awk '{print "./" $1}' <<<"$list" | sort -u) || return
  ran=$(grep -oE '<testcase classname="[^"]*" name="[^"/]*"' "$out/$name.xml" | sed -E 's/.*classname="beckon\/([^"]*)" name="([^"]*)"/\1 \2/' | sort -u)
  list=$(awk '{print $1, $2}' <<<"$list" | sort -u | comm -23 - <(echo "$ran"))
  [ -z "$list" ] || { echo "These tests of tests/smoke.txt did not run:" "$list"; return 1; }
}

# The browser's tests run where there is nothing but loopback, and where each
# attempt to reach further is seen and fails them.
stage_browser() { playwright browser specs; }
stage_browser-smoke() { playwright browser-smoke smoke; }
playwright() {
  npm --prefix tests/browser run check &&
    go build -o $out/netjail ./tests/netjail &&
    (cd tests/browser && PLAYWRIGHT_JUNIT_OUTPUT_FILE="../out/$1.xml" ../out/netjail node_modules/.bin/playwright test --project="$2" --reporter=list,junit)
}
stage_packages() { build/package.sh && sum packages -count=1 -timeout 300s -tags packages ./tests/packages; }
# A soak that is bounded: random worktrees, of which nothing may be lost, and kills in the middle
# of what is done in three repositories, and of taking worktrees back to decisions.
stage_soak() {
    sum soak -count=1 -tags soak -timeout 20m -run '^TestCleanUpLosesNothing$|KilledIsAllOrNothing$|^TestADecisionIsTakenBackExactlyAndLosesNothing$' ./backend/git ./backend/board/begun ./backend/review/rewind
}
stage_clean() { build/leftovers.sh after; }

# sum runs go test and keeps a summary of its tests. Its timeout is several times what
# they take on two slow cores: it ends what hangs, and not what is slow. They build the
# program themselves, which go test's cache does not see: hence -count=1 everywhere. Vet is
# golangci-lint's, and of other systems the stage systems'.
sum() {
  local name=$1
  shift
  "$(tool gotestsum)" --format pkgname --junitfile "$out/$name.xml" -- -vet=off "$@"
}

# unraced fails where a program of a stage's saw a race, and prints the reports: go test
# gives them to whichever test ran then, and prints them only if that one failed.
unraced() {
  local reports=("$out/races.$1".*)
  [ ! -e "${reports[0]}" ] || { cat "${reports[@]}"; return 1; }
}

# failures prints what failed in a stage, from its log: the tests, each with the first
# words of why, else the log's end; and races.
failures() {
  local tests name=${1##*/}
  unraced "${name%.log}" | head -60
  tests=$(awk '
    /^ *(=== FAIL:|[0-9]+\) \[(specs|smoke)\] ›|FAIL +.*\.test\.ts)/ { left = seen[$0]++ ? 0 : 9 }
    left > 0 && NF { print substr($0, 1, 200); left-- }' "$1" | head -30)
  sed 's/^/  /' <<<"${tests:-$(tail -5 "$1")}"
}

# run passes a stage, and keeps what it said, whether it passed and its seconds: those of
# the clock, and those of the processor that it and all that it waited for used.
run() {
  local verdict=FAILED TIMEFORMAT='%R %U %S' stage=$1
  rm -f "$out/$stage.verdict" "$out/$stage.xml" "$out/$stage".*.xml "$out/races.$stage".*
  { time GORACE="$GORACE:log_path=$PWD/$out/races.$stage" "stage_$stage" >"$out/$stage.log" 2>&1 && verdict=passed; } 2>"$out/$stage.time"
  unraced "$stage" >>"$out/$stage.log" || verdict=FAILED
  awk -v name="$stage" -v verdict=$verdict '{ printf "%s %s %.1f %.1f\n", name, verdict, $1, $2 + $3 }' "$out/$stage.time" >"$out/$stage.verdict"
}

# ended prints what a stage said, and takes down what it cost.
ended() {
  local verdict
  printf '\n== %s\n' "$1"
  cat "$out/$1.log"
  cat "$out/$1.verdict" >>$out/stages.tsv
  read -r _ verdict _ <"$out/$1.verdict"
  if [ "$verdict" = passed ]; then passed=$((passed + 1)); else failed=$((failed + 1)) broken+=("$1"); fi
  [ "$verdict" = passed ]
}

# alone passes stages one after the other, until one fails that the others need.
alone() {
  local stage
  for stage in "$@"; do
    run "$stage"
    ended "$stage" || case $stage in setup | build) return 1 ;; esac
  done
}

# in_turn passes the stages after the first three: what others are built of comes before
# them. Each keeps the processor busy by itself, so two beside each other took as long,
# and their tests waited for one another. The suite waits for signs of life that come ten
# seconds apart: conformance runs beside them all. What looks for leftovers comes last.
in_turn() {
  local stage others=()
  for stage in "${stages[@]:3}"; do
    case $stage in conformance | clean) ;; *) others+=("$stage") ;; esac
  done
  run conformance &
  alone "${others[@]}"
  wait
  ended conformance
  alone clean
}

# changed lists the files that differ from what main had before: since the merge base with
# it, or where that is unknown, or is this very commit, in the last fifty commits.
changed() {
  local base
  base=$(git merge-base HEAD "origin/${GITHUB_BASE_REF:-main}" 2>/dev/null)
  if [ -z "$base" ] || { [ "$base" = "$(git rev-parse HEAD)" ] && [ -z "$(git status --porcelain)" ]; }; then
    base=$(git rev-parse -q --verify HEAD~50 || git rev-list --max-parents=0 HEAD | tail -1)
  fi
  { git diff --name-only "$base" && git ls-files --others --exclude-standard; } | sort -u
}

# by_path prints, for each whole stage that changed files ask for, "STAGE COUNT": how many
# files ask for it. The one that most ask for is first.
by_path() {
  changed | awk -v table="$paths" '
    BEGIN { rows = split(table, row, "\n") }
    {
      for (i = 1; i <= rows; i++) {
        if (!split(row[i], half, "  +")) continue
        for (n = split(half[1], at, " "); n > 0; n--) {
          tail = substr(at[n], 2)
          fits = at[n] ~ /^\*/ ? substr($0, length($0) - length(tail) + 1) == tail : index($0, at[n]) == 1
          if (fits) { for (k = split(half[2], stage, " "); k > 0; k--) count[stage[k]]++; break }
        }
      }
    }
    END { for (one in count) print one, count[one] }' | sort -k2,2nr -k1,1
}

# choose fills stages with the tier of each change, and unrun with what it leaves out, and why.
choose() {
  local stage count spent=0 whole=' '
  unrun=()
  while read -r stage count; do
    if [ $((spent + $(quick_seconds "$stage"))) -gt $quick_most ]; then
      unrun+=("$stage: $count changed files ask for it, beyond what stages by path may take. Run it before you land: build/test.sh setup build $stage")
      continue
    fi
    spent=$((spent + $(quick_seconds "$stage")))
    whole+="$stage "
  done < <(by_path)
  stages=(setup build generated go lint page conformance)
  if [[ $whole == *' real '* && $whole == *' observe '* ]]; then :; else stages+=(real-smoke); fi
  stages+=(newest)
  [[ $whole == *' browser '* ]] || stages+=(browser-smoke)
  if [[ $whole == *' window '* && $whole == *' desktop '* ]]; then :; else stages+=(window-smoke); fi
  for stage in agents executors real browser observe window desktop systems packages; do
    if [[ $whole == *" $stage "* ]]; then
      stages+=("$stage")
    elif [[ " ${unrun[*]%%:*} " != *" $stage "* ]]; then
      unrun+=("$stage: nothing that it tests has changed")
    fi
  done
  stages+=(clean)
}

begin=$SECONDS passed=0 failed=0 broken=() unrun=()
: >$out/stages.tsv
rm -f $out/*.xml # of an earlier run
go build -o $out/report ./tests/report || exit
BECKON_PATIENCE=${BECKON_PATIENCE:-$($out/report patience)}
export BECKON_PATIENCE
case ${1:-} in
  '') choose ;;
  all) stages=(setup build generated go-all lint page conformance real newest agents executors browser observe window desktop systems packages soak clean) ;;
  *) stages=("$@") ;;
esac
echo "stages: ${stages[*]}; each wait is for up to $BECKON_PATIENCE times as long as on a quick machine"
case ${1:-} in
  '' | all)
    alone "${stages[@]:0:3}" && in_turn
    ;;
  *) alone "${stages[@]}" ;;
esac

printf '\n'
[ ${#broken[@]} = 0 ] || for stage in "${broken[@]}"; do
  echo "failed in $stage:"
  failures "$out/$stage.log"
done
$out/report figures $out | tee $out/figures.txt
[ ${#unrun[@]} = 0 ] || printf 'not run: %s\n' "${unrun[@]}"
printf 'stages: %d passed, %d failed, in %d s\n' $passed $failed $((SECONDS - begin))
[ "$failed" = 0 ]
