#!/usr/bin/env bash
# Takes guards out of a copy of the code, one by one, and says which tier of the tests
# notices; takes the numbers of guards to try those. See tests/guards.
set -euo pipefail
cd "$(dirname "$0")/.."
make -s build
exec go run ./tests/guards "$@"
