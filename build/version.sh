#!/usr/bin/env bash
# Prints the version of this checkout: 1.2.3 at the tag v1.2.3, and otherwise the last
# tag with how many commits follow it and the last of them, as 1.2.3+5.g0123456, which
# dpkg and rpm order after 1.2.3. With "package", that version as they write it: to them
# 1.2.3-rc.1 would come after 1.2.3, and 1.2.3~rc.1 comes before it. With "ldflags", what
# the linker writes into the program.
set -euo pipefail
cd "$(dirname "$0")/.."
repository='' # which the next line sets
. build/identity.sh
export TZ=UTC

version=dev commit='' date=''
if git rev-parse --git-dir >/dev/null 2>&1; then
  commit=$(git rev-parse --short=10 HEAD)
  date=$(git log -1 --format=%cd --date=format-local:%Y-%m-%d)
  if ! version=$(git describe --tags --match 'v[0-9]*' --abbrev=7 2>/dev/null); then
    version="v0.0.0-$(git rev-list --count HEAD)-g${commit:0:7}"
  fi
  version=${version#v}
  # A prerelease, as 1.2.3-rc.1, has a hyphen of its own: the last two are git's.
  if [[ $version =~ ^(.*)-([0-9]+)-(g[0-9a-f]+)$ ]]; then
    version="${BASH_REMATCH[1]}+${BASH_REMATCH[2]}.${BASH_REMATCH[3]}"
  fi
  # A build from what is in no commit says so.
  if ! git diff --quiet HEAD 2>/dev/null; then
    case $version in *+*) version+=.dirty ;; *) version+=+dirty ;; esac
  fi
fi

case ${1:-version} in
  version) echo "$version" ;;
  package) echo "${version/-/\~}" ;;
  ldflags) echo "-X main.version=$version -X main.commit=$commit -X main.date=$date -X main.repository=$repository" ;;
  *) echo "usage: $0 [version|package|ldflags]" >&2; exit 2 ;;
esac
