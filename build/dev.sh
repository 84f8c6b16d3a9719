#!/usr/bin/env bash
# Serves the page from its sources, with hot reload, on the real back end.
# Arguments go to `beckon serve`; a data folder of its own keeps your work out.
set -euo pipefail
cd "$(dirname "$0")/.."

data=${BECKON_DEV_DATA:-.beckon/dev}
mkdir -p "$data"
CGO_ENABLED=0 go build -o build/bin/beckon-dev .
coproc serve { exec build/bin/beckon-dev serve -data "$data" "$@"; }
# shellcheck disable=SC2154 # coproc sets it
server=$serve_PID
trap 'kill "$server" 2>/dev/null; wait' EXIT
if ! read -r line <&"${serve[0]}"; then
  exit 1 # it said why
fi
url=$(node -p 'JSON.parse(process.argv[1]).url' "$line")
port=${BECKON_DEV_PORT:-5173}
echo "The page, once Vite is ready: http://127.0.0.1:$port/${url##*/}"
BECKON_URL=${url%/*} npm --prefix frontend run --silent dev -- --port "$port" --strictPort
