#!/usr/bin/env bash
# Installs the system packages that are missing: those to build and run Beckon, with
# "package" also those that packages are made with, with "release" also those that they
# are tried with where they are released, and with "test" also those that the tests drive
# it with.
set -euo pipefail
cd "$(dirname "$0")/.."

need=(git gcc pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev)
offered=() # needed where the system offers them: not every one does
case ${1:-run} in package | release | test) need+=(binutils librsvg2-bin nsis) ;; esac
case ${1:-run} in release | test) need+=(rpm desktop-file-utils mmdebstrap) ;; esac
if [ "${1:-run}" = test ]; then
  need+=(lintian rpmlint cpio appstream man-db zsh fish shellcheck libplist-utils wine64 gcc-mingw-w64-x86-64-win32 icoutils)
  need+=(xvfb dbus-x11 gnome-keyring xdotool imagemagick chromium iproute2 util-linux procps tmux openssh-client openssh-server podman runc)
  need+=(slurmctld slurmd slurm-client munge)
  # Docker from elsewhere would have to go for Debian's.
  command -v dockerd >/dev/null || need+=(docker.io)
  command -v docker >/dev/null || offered+=(docker-cli)
  offered+=(chromium-headless-shell)
fi

for tool in go node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "Beckon is built with Go 1.26 and Node 20: $tool is missing. Install it and try again." >&2
    exit 1
  fi
done

[ "$(uname -s)" = Linux ] || exit 0
if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian-like system. These packages are needed, under the names that they have here: ${need[*]}" >&2
  exit 0
fi

# look fills missing, as far as the package lists that are here tell.
look() {
  local package
  missing=()
  for package in "${need[@]}" "${offered[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ] || continue
    [[ " ${offered[*]} " != *" $package "* ]] || [ -n "$(apt-cache madison "$package" 2>/dev/null)" ] || continue
    missing+=("$package")
  done
}
look
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing. Run this as root, then try again:" >&2
    echo "  apt-get update && apt-get install -y ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
look
echo "Installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
