#!/usr/bin/env bash
# Makes Beckon.app for both kinds of Mac and a .dmg of it, on a Mac. With -n it prints
# the commands and runs none.
#
# BECKON_IDENTITY  the "Developer ID Application" certificate that signs; without it the
#                  app is signed ad hoc, and macOS asks before it opens it
# BECKON_NOTARY    the profile of notarytool that notarises; without it nothing is sent
#                  to Apple
set -euo pipefail
cd "$(dirname "$0")/../.."

dry=
[ "${1:-}" != -n ] || dry=yes
# run runs a command, or prints it.
run() {
  if [ -n "$dry" ]; then
    printf '%s\n' "${*@Q}"
  else
    "$@"
  fi
}

# plist writes the app's Info.plist: plist VERSION BUILD
plist() { sed "s/@SHORT@/$1/; s/@BUILD@/$2/" build/darwin/Info.plist >"$app/Contents/Info.plist"; }

version=${BECKON_VERSION:-$(build/version.sh)}
ldflags="-s -w -buildid= ${BECKON_LDFLAGS:-$(build/version.sh ldflags)}"
identity=${BECKON_IDENTITY:--}
out=build/out app=build/out/Beckon.app
dmg=$out/Beckon-$version.dmg

run npm --prefix frontend ci --no-audit --no-fund
run npm --prefix frontend run build
run rm -rf "$out"
run mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
for arch in arm64 amd64; do
  # The oldest macOS that this Go supports; Wails links the framework for dropped files.
  run env CGO_ENABLED=1 GOARCH=$arch CGO_CFLAGS=-mmacosx-version-min=12.0 \
    "CGO_LDFLAGS=-framework UniformTypeIdentifiers -mmacosx-version-min=12.0" \
    go build -trimpath -buildvcs=false -tags desktop,production -ldflags "$ldflags" -o "$out/beckon-$arch" .
done
run lipo -create -output "$app/Contents/MacOS/beckon" "$out/beckon-arm64" "$out/beckon-amd64"
run cp build/darwin/Beckon.icns "$app/Contents/Resources/Beckon.icns"
run go run -C build/tools ./sbom "$version" "../../$out/beckon-arm64" ../.. "../../$app/Contents/Resources"
# Apple takes three numbers: what follows them in a version is left out.
short=$(sed -E 's/^([0-9]+\.[0-9]+\.[0-9]+).*/\1/' <<<"$version")
commits=0
[[ $version =~ \+([0-9]+) ]] && commits=${BASH_REMATCH[1]}
run plist "$short" "$short.$commits"
run plutil -lint "$app/Contents/Info.plist"

# What is inside is signed before what is around it.
sign=(codesign --force --options runtime --sign "$identity")
[ "$identity" = - ] || sign+=(--timestamp)
run "${sign[@]}" --entitlements build/darwin/entitlements.plist "$app/Contents/MacOS/beckon"
run "${sign[@]}" --entitlements build/darwin/entitlements.plist "$app"
run codesign --verify --strict --verbose=2 "$app"

run mkdir "$out/dmg"
run cp -R "$app" "$out/dmg/Beckon.app"
run ln -s /Applications "$out/dmg/Applications"
run hdiutil create -volname Beckon -srcfolder "$out/dmg" -format UDZO -ov "$dmg"
if [ "$identity" != - ]; then
  run "${sign[@]}" "$dmg"
fi
if [ -n "${BECKON_NOTARY:-}" ]; then
  run xcrun notarytool submit "$dmg" --keychain-profile "$BECKON_NOTARY" --wait
  run xcrun stapler staple "$dmg"
  run spctl --assess --type open --context context:primary-signature --verbose=2 "$dmg"
fi
