#!/usr/bin/env bash
# What build/install-test.sh does inside a fresh system, as its root.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
install="apt-get install -y -qq --no-install-recommends"
fail() { echo "fresh-root.sh: $*" >&2; exit 1; }

# Names of files below /usr, /etc and /var that are Beckon's.
ours() { find /usr /etc /var -xdev -iname '*beckon*' ! -path '/var/log/*' ! -path '/var/cache/*'; }

$install /root/beckon.deb >/dev/null
beckon version
if ldd /usr/lib/beckon/beckon-window | grep 'not found'; then
  fail "the window misses libraries."
fi

$install xvfb xauth imagemagick dbus-x11 >/dev/null
useradd --create-home dev
cat >/tmp/shown.sh <<'END'
set -eu
# until_seen LOOK waits until a look at the job sees it, and ends the job.
until_seen() {
  for _ in $(seq 120); do
    if eval "$1"; then
      kill %1
      wait || true
      return
    fi
    sleep 1
  done
  cat /tmp/said
  exit 1
}
beckon demo >/tmp/said 2>&1 &
until_seen '[ "$(import -window root -format %k info:-)" -gt 200 ]'
beckon serve >/tmp/said 2>&1 &
until_seen 'grep -q "\"url\":\"http://127.0.0.1" /tmp/said'
END
su dev -c 'dbus-run-session -- xvfb-run -a bash /tmp/shown.sh' || fail "the demo was not painted, or serve printed no address."

apt-get purge -y -qq beckon >/dev/null
[ -z "$(ours)" ] || fail "it leaves $(ours)."
[ -s /home/dev/.local/share/beckon/beckon.db ] || fail "the user's data is gone."
