#!/bin/sh
# Installs Beckon from the unpacked archive, for one person or for all, and removes it.
#
#   ./install.sh                      below ~/.local
#   ./install.sh --prefix /usr/local  elsewhere
#   ./install.sh --remove             what an earlier one installed; data stays
set -eu

usage() {
  sed -n '4,6s/^# *//p' "$0" >&2
  exit 2
}

prefix=${HOME:-}/.local remove=
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -gt 1 ] || usage; prefix=$2; shift ;;
    --remove) remove=yes ;;
    *) usage ;;
  esac
  shift
done
case $prefix in
  /*) ;;
  *) echo "install.sh: the prefix $prefix is no full path; nothing was changed." >&2; exit 2 ;;
esac
from=$(cd "$(dirname "$0")" && pwd)
list=$prefix/lib/beckon/installed

# desk tells the desktop of what came or went, where it has the programs for it.
desk() {
  if [ -d "$prefix/share/applications" ] && command -v update-desktop-database >/dev/null; then
    update-desktop-database -q "$prefix/share/applications" || true
  fi
  if [ -d "$prefix/share/icons/hicolor" ] && command -v gtk-update-icon-cache >/dev/null; then
    gtk-update-icon-cache -q -t -f "$prefix/share/icons/hicolor" 2>/dev/null || true
  fi
}

# prune removes a folder below the prefix, and those above it, as far as they are empty.
prune() {
  dir=$1
  while [ "$dir" != . ] && rmdir "$prefix/$dir" 2>/dev/null; do dir=$(dirname "$dir"); done
}

# forget removes a cache that desk made, where nothing else is in its folder. Of icons that
# are gone the program removes it itself, and leaves the folder.
forget() {
  case $(ls -A "$prefix/$1" 2>/dev/null) in
    "$2" | '')
      rm -f "$prefix/$1/$2"
      prune "$1"
      ;;
  esac
}

# clear removes what the list names, and the folders that are empty then.
clear() {
  while IFS= read -r name; do
    rm -f "$prefix/$name"
  done <"$list"
  dirs=$(sed 's,/[^/]*$,,' "$list")
  rm -f "$list"
  printf '%s\n' "$dirs" | sort -ru | while IFS= read -r name; do prune "$name"; done
}

if [ -n "$remove" ]; then
  if [ ! -f "$list" ]; then
    echo "install.sh: there is no Beckon below $prefix; nothing was changed." >&2
    exit 1
  fi
  clear
  desk
  forget share/applications mimeinfo.cache
  forget share/icons/hicolor icon-theme.cache
  echo "Removed from $prefix. Your data stays in ${XDG_DATA_HOME:-$HOME/.local/share}/beckon."
  exit 0
fi

[ ! -f "$list" ] || clear # of another version, with other files
mkdir -p "$prefix/lib/beckon"
cd "$from"
find bin lib share ! -type d | sort >"$list"
while IFS= read -r name; do
  mkdir -p "$prefix/$(dirname "$name")"
  # A program that runs keeps its file: the new one takes its place.
  cp -P "$name" "$prefix/$name.new"
  mv -f "$prefix/$name.new" "$prefix/$name"
done <"$list"

# The desktop finds the program where PATH does not lead to it. An Exec line has its
# own quotes, within those of a desktop entry.
exec=$(printf '%s' "$prefix/bin/beckon" | sed 's/[\\"`$]/\\&/g; s/\\/\\\\/g; s/%/%%/g')
entry=$prefix/share/applications/beckon.desktop
EXEC="Exec=\"$exec\" %u" awk '/^Exec=/ { print ENVIRON["EXEC"]; next } { print }' "$from/share/applications/beckon.desktop" >"$entry.new"
mv -f "$entry.new" "$entry"
desk
echo "Installed in $prefix. Start it as $prefix/bin/beckon, or from the menu of the desktop."
if ! ldd "$prefix/lib/beckon/beckon-window" 2>/dev/null | grep -q 'not found'; then exit 0; fi
echo "For the window, GTK 3 and WebKitGTK 4.1 are missing: 'beckon serve' works without them, in a browser." >&2
