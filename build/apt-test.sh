#!/usr/bin/env bash
# Has apt work out, with the lists of Debian 12 and 13 and for a system that has nothing,
# whether the .deb in build/out can be installed there. Nothing is installed; the lists
# come from the network.
set -euo pipefail
cd "$(dirname "$0")/.."
debs=(build/out/beckon_*.deb)
deb=$PWD/${debs[0]}
mirror=${BECKON_DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for suite in bookworm trixie; do
  dir=$work/$suite
  mkdir -p "$dir"/{lists/partial,archives/partial,none}
  touch "$dir/status"
  # Nothing that these lists name is fetched or run, so that they need no keys.
  echo "deb [trusted=yes] $mirror $suite main" >"$dir/sources.list"
  apt=(apt-get -qq -o "Dir::State=$dir" -o "Dir::State::status=$dir/status" -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir" -o Debug::NoLocking=yes
    -o "Dir::Etc::sourcelist=$dir/sources.list" -o "Dir::Etc::sourceparts=$dir/none" -o "Dir::Etc::preferencesparts=$dir/none" -o APT::Sandbox::User=
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Retries=3)
  "${apt[@]}" update
  plan=$("${apt[@]}" --simulate --no-install-recommends install "$deb") || { echo "$suite cannot install it." >&2; exit 1; }
  for needed in beckon libwebkit2gtk-4.1-0 git; do
    grep -q "^Inst $needed " <<<"$plan" || { echo "On $suite apt would not install $needed." >&2; exit 1; }
  done
  echo "$suite: apt would install $(grep -c '^Inst ' <<<"$plan") packages."
done
