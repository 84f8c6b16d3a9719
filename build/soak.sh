#!/usr/bin/env bash
# What takes long: ten minutes of twenty agents at work, for memory that must
# stay flat; then the clean-up of thousands of random worktrees, of which nothing
# may be lost, and kills in the middle of what is done in three repositories, and of
# taking worktrees back to decisions; then
# answers that come after minutes, through the real CLI, which takes a little over
# an hour and costs next to nothing meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."
build/bench.sh -only '^soak$'
go test -tags soak -count 1 -timeout 120m -v -run '^TestCleanUpLosesNothing$|KilledIsAllOrNothing$|^TestADecisionIsTakenBackExactlyAndLosesNothing$' ./backend/git ./backend/board/begun ./backend/review/rewind
npm --prefix tests/real ci --no-audit --no-fund --loglevel=error
# More arguments go to go test, such as: -run '/(3m0s|5m30s)$'
# Claude and Beckon are killed a thousand times between a key press and the
# session file; a table says what was lost and doubled. About half an hour.
BECKON_KILLS=10 go test -count 1 -timeout 120m -parallel 4 -v -run TestWhatIsSaidIsHeardOnceWhoeverIsKilled ./tests/real
# The same for an agent that speaks ACP, the scripted one: 360 kills.
BECKON_KILLS=10 go test -count 1 -timeout 60m -v -run TestWhatIsSaidToAnotherAgentIsHeardOnceWhateverIsKilled ./tests/crash
go test -tags soak -count 1 -timeout 90m -parallel 12 -v "$@" ./tests/soak
