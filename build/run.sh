#!/usr/bin/env bash
# Installs what is missing, builds Beckon and starts it: in a window where there is a
# display, else, or with BECKON_BROWSER=1, in a browser, for which nothing of a window is
# installed or built. Where there is no claude, the demo takes its place.
set -euo pipefail
cd "$(dirname "$0")/.."

# step runs a command and says in one line what it is for and what it took.
step() {
  local what=$1 began=$SECONDS
  shift
  printf '%s… ' "$what"
  "$@" >"$log" 2>&1 || { printf 'failed\n'; cat "$log" >&2; exit 1; }
  printf '%d s\n' $((SECONDS - began))
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

window=yes
if [ -n "${BECKON_BROWSER:-}" ] || { [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }; then window=; fi
step "Looking for the system's packages" build/setup.sh "$([ -n "$window" ] && echo run || echo serve)"
step "Fetching the page's packages" make -s frontend/node_modules/.package-lock.json
step "Building the page" make -s frontend/dist/index.html
step "Building Beckon" make -s "$([ -n "$window" ] && echo build || echo build/bin/beckon)"
rm -f "$log"

claude=yes
if ! command -v claude >/dev/null && [ ! -x "$HOME/.claude/local/claude" ] && [ ! -x "$HOME/.local/bin/claude" ]; then
  claude=
  echo "claude was not found, so this is the demo: a sample project and a scripted agent."
  echo "For the real thing: npm install -g @anthropic-ai/claude-code, then make run again."
fi
if [ -z "$window" ]; then
  echo "Open the address below in a browser."
  unset DISPLAY WAYLAND_DISPLAY
fi
case ${claude:-demo},${window:-browser} in
  demo,*) exec build/bin/beckon demo ;;
  *,browser) exec build/bin/beckon serve ;;
  *) exec build/bin/beckon ;;
esac
