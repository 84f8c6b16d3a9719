#!/usr/bin/env bash
# Starts Beckon: in a window where there is a display, else in a browser. Where
# there is no claude, the demo takes its place.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v claude >/dev/null && [ ! -x "$HOME/.claude/local/claude" ] && [ ! -x "$HOME/.local/bin/claude" ]; then
  echo "claude was not found, so this is the demo: a sample project and a scripted agent."
  echo "For the real thing: npm install -g @anthropic-ai/claude-code, then make run again."
  exec build/bin/beckon demo
fi
if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "There is no display. Open the address below in a browser."
  exec build/bin/beckon serve
fi
exec build/bin/beckon
