#!/usr/bin/env bash
# Every check that reads the code without running it.
set -euo pipefail
cd "$(dirname "$0")/.."

lint=(go tool -modfile=build/tools/go.mod golangci-lint)
"${lint[@]}" run --build-tags webkit2_41 ./...
"${lint[@]}" fmt --diff ./...
npm --prefix frontend run lint
