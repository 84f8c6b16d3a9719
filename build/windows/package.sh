#!/usr/bin/env bash
# Makes the installer of Windows in build/out, on Linux: the program and, for consoles,
# the one without a window. The same commit gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
export TZ=UTC LC_ALL=C
version=$(build/version.sh)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
from=build/out/windows

# Windows has four numbers: those of the version, and how many commits follow its tag.
if ! [[ $version =~ ^([0-9]+)\.([0-9]+)\.([0-9]+)(-[^+]*)?(\+([0-9]+)\.)? ]]; then
  echo "$0: $version is no version" >&2
  exit 1
fi
after=${BASH_REMATCH[6]:-0}
numbers=${BASH_REMATCH[1]}.${BASH_REMATCH[2]}.${BASH_REMATCH[3]}.$((after > 65535 ? 65535 : after))

resources=rsrc_windows_amd64.syso # go build takes it up by its name and place
trap 'rm -rf "$resources" "$from"' EXIT
mkdir -p "$from"
icons=()
for size in 16 24 32 48 64 128 256; do
  rsvg-convert --width $size --height $size build/icons/app.svg --output "$from/$size.png"
  icons+=("$PWD/$from/$size.png")
done
go run -C build/tools ./winres "$version" "$numbers" "$PWD/$from/beckon.ico" "${icons[@]}" >"$resources"

flags="-s -w -buildid= $(build/version.sh ldflags)"
go=(env CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -trimpath -buildvcs=false)
"${go[@]}" -tags desktop,production,wv2runtime.browser -ldflags "$flags -H windowsgui" -o "$from/beckon.exe" .
"${go[@]}" -ldflags "$flags" -o "$from/beckon-core.exe" .

sed 's/$/\r/' LICENSE >"$from/LICENSE.txt"
cp CHANGELOG.md "$from"
go run -C build/tools ./sbom "$version" "../../$from/beckon.exe" ../.. "../../$from"
sed -i 's/$/\r/' "$from/third-party-notices.txt"
find "$from" -print0 | xargs -0 touch --date="@$SOURCE_DATE_EPOCH"
makensis -V2 -WX -INPUTCHARSET UTF8 -DVERSION="$version" -DNUMBERS="$numbers" -DFROM="$PWD/$from" \
  -DOUT="$PWD/build/out/beckon-$version-windows-amd64-setup.exe" build/windows/beckon.nsi
