#!/usr/bin/env bash
# Installs the .deb in build/out with apt into a fresh Debian 12 and 13, shows the demo
# there as a user of its own, and removes it again. It needs the network and root.
set -euo pipefail
cd "$(dirname "$0")/.."
mirror=${BECKON_DEBIAN_MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "install-test.sh: a fresh system needs root; nothing was tried." >&2; exit 1; }
command -v mmdebstrap >/dev/null || build/setup.sh release

debs=(build/out/beckon_*.deb)
for suite in bookworm trixie; do
  # shellcheck disable=SC2016 # mmdebstrap fills in $1
  mmdebstrap --quiet --mode=root --variant=minbase --format=null \
    --customize-hook="copy-in build/fresh-root.sh /root" \
    --customize-hook="upload '${debs[0]}' /root/beckon.deb" \
    --customize-hook='chroot "$1" bash /root/fresh-root.sh' \
    "$suite" - "$mirror"
  echo "$suite: installed, shown and removed."
done
