#!/usr/bin/env bash
# Renders the tray's icons from build/icons/*.svg into what the program embeds:
# PNG for Linux and macOS, ICO for Windows; and from app.svg the app's on macOS, and the
# phone page's, where the ones that a phone cuts to its own shape have no corners. Needs
# what the tests need, chromium and imagemagick, and icnsutils. The results are
# committed, so that nobody needs it to build.
set -euo pipefail
cd "$(dirname "$0")/.."

size=64 # panels scale down; 64 is twice the largest that they draw
to=backend/desktop/status/icons
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# render draws an SVG as a square PNG: render SVG SIZE PNG
render() {
  printf '<!doctype html><style>*{margin:0}svg{display:block;width:%spx;height:%spx}</style>' "$2" "$2" >"$work/page.html"
  cat "$1" >>"$work/page.html"
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --user-data-dir="$work/profile" --default-background-color=00000000 --window-size="$2,$2" \
    --screenshot="$work/drawn.png" "file://$work/page.html" 2>/dev/null
  convert "$work/drawn.png" -strip -define png:exclude-chunks=date,time "$3"
}

for svg in build/icons/tray-*.svg; do
  name=$(basename "$svg" .svg)
  name=${name#tray-}
  render "$svg" $size "$to/$name.png"
  convert "$to/$name.png" -strip -define icon:auto-resize=32,24,20,16 "$to/$name.ico"
done

# The app's on macOS, and of the folder in which a Mac shows it.
for side in 16 32 48 128 256 512; do render build/icons/app.svg $side "$work/app-$side.png"; done
png2icns build/darwin/Beckon.icns "$work"/app-{16,32,48,128,256,512}.png >/dev/null

phone=frontend/src/phone/public
sed 's/ rx="15"//' build/icons/app.svg >"$work/whole.svg"
# A phone may cut away a fifth on each side.
sed 's/translate(12 11.5) scale(1.28)/translate(16 15.6) scale(1.02)/' "$work/whole.svg" >"$work/maskable.svg"
render build/icons/app.svg 192 $phone/icon-192.png
render build/icons/app.svg 512 $phone/icon-512.png
render "$work/maskable.svg" 512 $phone/icon-maskable-512.png
render "$work/whole.svg" 180 $phone/icon-apple-180.png
# The sign in the status bar: a shape, which the system colours.
render build/icons/tray-attention-on-dark.svg 96 $phone/icon-badge-96.png
