#!/usr/bin/env bash
# Prints what CHANGELOG.md says of a version, for the notes of its release. With "cut"
# it gives what is unreleased that version and today's date, in the file.
#
#   build/changelog.sh 1.2.3
#   build/changelog.sh cut 1.2.3
set -euo pipefail
cd "$(dirname "$0")/.."
file=${BECKON_CHANGELOG:-CHANGELOG.md}

if [ "${1:-}" = cut ]; then
  version=${2:?the version that is released}
  if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.]+)?$ ]]; then
    echo "changelog.sh: $version is no version such as 1.2.3 or 1.2.3-rc.1; nothing was changed." >&2
    exit 2
  fi
  if grep -qF "## $version (" "$file"; then
    echo "changelog.sh: $file has $version already; nothing was changed." >&2
    exit 1
  fi
  if ! grep -q '^- ' < <(sed -n '/^## Unreleased$/,/^## [0-9]/p' "$file"); then
    echo "changelog.sh: nothing is unreleased in $file; nothing was changed." >&2
    exit 1
  fi
  sed -i "s/^## Unreleased\$/## Unreleased\n\n## $version ($(date -u +%Y-%m-%d))/" "$file"
  exit 0
fi

version=${1:?a version, or Unreleased}
notes=$(awk -v heading="## $version" '
  /^## / { is = $0 == heading || index($0, heading " (") == 1; next }
  is { print }
' "$file" | sed -e '/./,$!d')
if [ -z "$notes" ]; then
  echo "changelog.sh: $file says nothing of $version." >&2
  exit 1
fi
printf '%s\n' "$notes"
