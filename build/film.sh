#!/usr/bin/env bash
# Makes the film of the README, build/screenshots/film.webp, of a question that
# is answered. Needs what the browser tests need, and ImageMagick with WebP.
set -euo pipefail
cd "$(dirname "$0")/.."
frames=tests/out/film
(cd tests/browser && node_modules/.bin/playwright test --project=screenshots film.spec.ts)

# Pictures that are the same as the one before are one that is seen longer.
args=() last='' ms=0
flush() { [ -z "$last" ] || args+=(-delay $((ms / 10)) "$frames/$last"); }
while read -r file shown; do
  if [ -n "$last" ] && cmp -s "$frames/$file" "$frames/$last"; then
    ms=$((ms + shown))
  else
    flush
    last=$file ms=$shown
  fi
done <"$frames/frames.txt"
flush
convert "${args[@]}" -loop 0 -define webp:lossless=true -define webp:method=4 build/screenshots/film.webp
size=$(stat -c %s build/screenshots/film.webp)
echo "film.webp: $((size / 1024)) KB, ${#args[@]} arguments"
[ "$size" -lt $((2 << 20)) ] || { echo "film.sh: larger than 2 MB" >&2; exit 1; }
