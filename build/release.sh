#!/usr/bin/env bash
# The steps of a release, for the workflow and for who tries them:
#
#   build/release.sh check   whether HEAD is a version that can be released
#   build/release.sh try     whether the packages in build/out are what is to be released
#   build/release.sh audit   known holes in what Beckon is built of; asks the network
#   build/release.sh sums    SHA256SUMS of all that is in build/out
#   build/release.sh draft   a draft at GitHub, with the files and what changed
set -euo pipefail
cd "$(dirname "$0")/.."
repository='' # which the next line sets
. build/identity.sh

refuse() {
  echo "release.sh: $*; nothing was made." >&2
  exit 1
}

case ${1:-} in
  check)
    version=$(build/version.sh)
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.]+)?$ ]] || refuse "this checkout is $version, which is no tag"
    [ -z "$(git status --porcelain)" ] || refuse "there are changes that no commit has"
    build/changelog.sh "$version" >/dev/null || refuse "CHANGELOG.md says nothing of $version"
    case $repository in *.invalid/*) refuse "BECKON_REPOSITORY has to say whose releases these are" ;; esac
    ;;
  try)
    BECKON_RELEASE=yes go test -count=1 -timeout 300s -tags packages -vet=off -v \
      -run '^Test(Deb|RPM|Archive|Programs|Installed(Program|Without)|Sums|Parts|TheListOfParts|LicencesCome|Versions|Packages)' ./tests/packages
    ;;
  audit)
    tools=$(mktemp -d)
    trap 'rm -rf "$tools"' EXIT
    GOBIN=$tools go install golang.org/x/vuln/cmd/govulncheck@v1.9.0
    "$tools/govulncheck" -tags desktop,production,webkit2_41 .
    CGO_ENABLED=0 GOOS=windows "$tools/govulncheck" -tags desktop,production,wv2runtime.browser .
    npm --prefix frontend audit --omit=dev --audit-level=moderate
    ;;
  sums)
    cd build/out
    rm -f SHA256SUMS
    sha256sum -- * >SHA256SUMS
    cat SHA256SUMS
    ;;
  draft)
    version=$(build/version.sh)
    prerelease=()
    case $version in *-*) prerelease=(--prerelease) ;; esac
    build/changelog.sh "$version" |
      gh release create "v$version" --repo "$repository" --verify-tag --draft "${prerelease[@]}" --title "Beckon $version" --notes-file - build/out/*
    ;;
  *)
    sed -n '4,8s/^# *//p' "$0" >&2
    exit 2
    ;;
esac
