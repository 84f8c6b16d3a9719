#!/usr/bin/env bash
# Installs Beckon on a Windows without a question, asks it for its version, and removes
# it again. In the shell that comes with git: try.sh SETUP.exe
set -euo pipefail
setup=${1:?the installer}
export MSYS_NO_PATHCONV=1 # /S is no path
home=$(cygpath -u "$LOCALAPPDATA")/Programs/Beckon

"$setup" /S
"$home/beckon-core.exe" version
reg query 'HKCU\Software\Classes\beckon\shell\open\command' /ve
"$home/uninstall.exe" /S
for _ in $(seq 60); do # it goes on in a copy of itself
  [ -e "$home" ] || exit 0
  sleep 1
done
echo "$home is still there" >&2
exit 1
