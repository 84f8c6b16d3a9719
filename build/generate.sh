#!/usr/bin/env bash
# Makes backend/api/methods.go and frontend/wailsjs again from the methods of backend/api,
# which app.go binds, and backend/packages.txt from the imports of the backend.
set -euo pipefail
cd "$(dirname "$0")/.."
CGO_ENABLED=0 go run -trimpath -buildvcs=false -tags bindings . >/dev/null
chmod 644 frontend/wailsjs/runtime/* # as wails dev leaves them
CGO_ENABLED=0 go test -trimpath -buildvcs=false -vet=off -count=1 -run '^TestImportsAreListed$' . -update >/dev/null
