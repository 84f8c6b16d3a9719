#!/usr/bin/env bash
# Measures the built program and prints a line per figure: name, value, unit,
# target, and "ok" or "short", with tabs between them. Takes the flags of
# tests/bench, such as -only 'window|page'.
set -euo pipefail
cd "$(dirname "$0")/.."
build/setup.sh bench >&2
go build -o build/bin/bench ./tests/bench
exec build/bin/bench "$@"
