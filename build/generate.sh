#!/usr/bin/env bash
# Makes methods.go and frontend/wailsjs again from the methods that are bound in main.go.
set -euo pipefail
cd "$(dirname "$0")/.."
CGO_ENABLED=0 go run -trimpath -buildvcs=false -tags bindings . >/dev/null
chmod 644 frontend/wailsjs/runtime/* # as wails dev leaves them
