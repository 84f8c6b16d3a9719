#!/usr/bin/env bash
# Fails when the tests left a process, a lock or a temporary file behind.
set -uo pipefail
cd "$(dirname "$0")/.."
left=0
if pgrep -fa 'beckon (serve|demo)|beckon-real-|BECKON_AGENT' | grep -v pgrep; then
  echo "The tests left these processes behind."
  left=1
fi
shopt -s nullglob
folders=("${TMPDIR:-/tmp}"/beckon-*)
if [ ${#folders[@]} -gt 0 ]; then
  printf '%s\n' "${folders[@]}"
  echo "The tests left these temporary folders behind."
  left=1
fi
if [ -n "$(git worktree list --porcelain 2>/dev/null | grep '^locked')" ]; then
  echo "The tests left a locked worktree behind."
  left=1
fi
[ $left = 0 ] && echo "No process, lock or temporary folder is left."
exit $left
