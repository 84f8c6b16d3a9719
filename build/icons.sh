#!/usr/bin/env bash
# Renders the tray's icons from build/icons/*.svg into what the program embeds:
# PNG for Linux and macOS, ICO for Windows. Needs what the tests need: chromium
# and imagemagick. The results are committed, so that nobody needs it to build.
set -euo pipefail
cd "$(dirname "$0")/.."

size=64 # panels scale down; 64 is twice the largest that they draw
to=backend/desktop/tray/icons
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for svg in build/icons/tray-*.svg; do
  name=$(basename "$svg" .svg)
  name=${name#tray-}
  printf '<!doctype html><style>*{margin:0}svg{display:block;width:%spx;height:%spx}</style>' $size $size >"$work/page.html"
  cat "$svg" >>"$work/page.html"
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --user-data-dir="$work/profile" --default-background-color=00000000 --window-size=$size,$size \
    --screenshot="$work/$name.png" "file://$work/page.html" 2>/dev/null
  convert "$work/$name.png" -strip -define png:exclude-chunks=date,time "$to/$name.png"
  convert "$work/$name.png" -strip -define icon:auto-resize=32,24,20,16 "$to/$name.ico"
done
