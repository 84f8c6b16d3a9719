#!/usr/bin/env bash
# Passes the smoke twenty times while eight endless loops run beside it, ten times at low
# priority and ten times at the tests' own, and says in a table which tests failed how
# often. Takes a number of rounds for each priority, and stages instead of the smoke's.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
rounds=${1:-10}
[ $# -eq 0 ] || shift
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(go real-smoke browser-smoke window-smoke)
kept=tests/out/flaky
rm -rf $kept
mkdir -p $kept
loops=()
calm() { [ ${#loops[@]} = 0 ] || kill "${loops[@]}" 2>/dev/null; loops=(); }
trap calm EXIT

build/test.sh setup build || exit
build/setup.sh "${stages[@]%-smoke}" || exit
for priority in 19 0; do
  for _ in 1 2 3 4 5 6 7 8; do
    nice -n $priority sh -c 'while :; do :; done' &
    loops+=($!)
  done
  for round in $(seq "$rounds"); do
    echo "== round $round of $rounds, beside eight loops at priority $priority"
    build/test.sh "${stages[@]}" >$kept/$priority-"$round".log 2>&1
    tail -1 $kept/$priority-"$round".log
    for stage in "${stages[@]}"; do
      for file in tests/out/"$stage".xml tests/out/"$stage".*.xml; do
        [ ! -f "$file" ] || cp "$file" "$kept/$(basename "$file" .xml)@$priority-$round.xml"
      done
    done
  done
  calm
done
go run ./tests/report failed $kept
