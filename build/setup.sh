#!/usr/bin/env bash
# Installs the system packages that are missing, for what its arguments name: "serve"
# (Beckon in a browser), "run" (the window too), "package" (making packages), "release"
# (trying them as well), "bench", and each stage of build/test.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

window=(gcc pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev)
screen=(xvfb dbus-x11 gnome-keyring xdotool imagemagick procps)
browser=(chromium iproute2 util-linux procps)
agents=(iproute2 util-linux procps tmux openssh-client openssh-server)
packaging=(binutils librsvg2-bin nsis)
release=(rpm desktop-file-utils mmdebstrap)
need=(git)
offered=() # needed where the system offers them: not every one does
for what in "${@:-run}"; do
  case $what in
    serve) ;;
    run | build | systems | lint | generated) need+=("${window[@]}") ;;
    package) need+=("${window[@]}" "${packaging[@]}") ;;
    release) need+=("${window[@]}" "${packaging[@]}" "${release[@]}") ;;
    go) need+=(gcc dbus-x11 gnome-keyring iproute2 util-linux procps zsh fish openssh-client) offered+=(gh) ;;
    window | desktop) need+=("${window[@]}" "${screen[@]}") ;;
    browser | screenshots) need+=("${browser[@]}") offered+=(chromium-headless-shell) ;;
    real | newest | agents | observe | soak) need+=(gcc "${agents[@]}") ;;
    executors)
      need+=(gcc "${agents[@]}" podman runc slurmctld slurmd slurm-client munge)
      # Docker from elsewhere would have to go for Debian's.
      command -v dockerd >/dev/null || need+=(docker.io)
      command -v docker >/dev/null || offered+=(docker-cli)
      ;;
    packages)
      need+=("${window[@]}" "${screen[@]}" "${packaging[@]}" "${release[@]}" lintian rpmlint cpio appstream man-db)
      need+=(zsh fish shellcheck libplist-utils wine64 gcc-mingw-w64-x86-64-win32 icoutils)
      ;;
    bench) need+=("${window[@]}" "${screen[@]}" "${browser[@]}" "${agents[@]}") offered+=(chromium-headless-shell) ;;
    setup | page | conformance | clean) ;;
    *)
      echo "build/setup.sh knows no $what" >&2
      exit 2
      ;;
  esac
done

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
  for package in $(printf '%s\n' "${need[@]}" "${offered[@]}" | sort -u); do
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
