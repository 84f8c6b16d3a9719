#!/usr/bin/env bash
# "before" remembers what Beckon has left on this machine; "after" fails when
# the tests left a process, a lock or a temporary folder behind.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
known=tests/out/before

# there lists processes and temporary folders that are Beckon's, one a line, and processes
# of the tests' container engines.
there() {
  pgrep -fa 'beckon (serve|demo|mcp)|^beckon-supervisor|/beckon-[a-z]+-[^/]*/|/engine[0-9]+/' | grep -v pgrep
  find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'beckon-*'
  git worktree list --porcelain 2>/dev/null | grep '^locked'
}

if [ "${1:-after}" = before ]; then
  there | sort >"$known"
  exit 0
fi
left=$(there | sort | comm -13 "$known" -)
if [ -n "$left" ]; then
  printf '%s\n' "$left" "The tests left this behind."
  exit 1
fi
echo "No process, lock or temporary folder is left."
