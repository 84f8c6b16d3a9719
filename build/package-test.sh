#!/usr/bin/env bash
# Makes the packages of the last commit a second time, in a fresh clone at another path,
# and fails where a byte differs from those in build/out.
set -euo pipefail
cd "$(dirname "$0")/.."
from=$PWD
if [ -n "$(git status --porcelain)" ]; then
  echo "package-test.sh: there are changes that no commit has, and that the clone would not have; nothing was compared." >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

clone=$work/at/another/place
git clone --quiet "$from" "$clone"
make --silent --directory "$clone" package >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
cmp build/out/SHA256SUMS "$clone/build/out/SHA256SUMS" || {
  diff --recursive --brief build/out "$clone/build/out" >&2
  echo "The same commit gave different packages." >&2
  exit 1
}
(cd build/out && sha256sum --check --strict --quiet SHA256SUMS)
echo "Made twice, the same bytes:"
cat build/out/SHA256SUMS
