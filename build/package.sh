#!/usr/bin/env bash
# Makes the packages from what `make build` built, in build/out: .deb, .rpm, and a
# .tar.gz for any other Linux; and the installer of Windows, from the sources. The same
# commit gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
maintainer='' # which the next line sets
. build/identity.sh
build/setup.sh package
export TZ=UTC LC_ALL=C
umask 022

out=build/out root=build/out/root
version=$(build/version.sh)
ordered=$(build/version.sh package)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
mtime=$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
export SOURCE_DATE_EPOCH
arch=$(go env GOARCH)
# What the program needs of the C library, as its symbols say.
glibc=$(objdump -T build/bin/beckon-window | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1 | cut -d_ -f2)

rm -rf "$out"
mkdir -p "$root/usr"/{bin,lib/beckon,share/{applications,metainfo,man/man1,doc/beckon,lintian/overrides}}
share=$root/usr/share

install -m 755 build/bin/beckon build/bin/beckon-window "$root/usr/lib/beckon"
ln -s ../lib/beckon/beckon "$root/usr/bin/beckon"
install -m 644 build/linux/beckon.desktop "$share/applications"

# The metainfo names the version it is of.
release="  <releases>\n    <release version=\"$version\" date=\"${mtime%T*}\"/>\n  </releases>"
sed "s,^</component>,$release\n&," build/linux/dev.beckon.beckon.metainfo.xml >"$share/metainfo/dev.beckon.beckon.metainfo.xml"

for size in 16 24 32 48 64 128 256 512; do
  apps=$share/icons/hicolor/${size}x$size/apps
  mkdir -p "$apps"
  rsvg-convert --width $size --height $size build/icons/app.svg --output "$apps/beckon.png"
done
install -D -m 644 build/icons/app.svg "$share/icons/hicolor/scalable/apps/beckon.svg"
install -D -m 644 build/icons/app-symbolic.svg "$share/icons/hicolor/symbolic/apps/beckon-symbolic.svg"

gzip -9n <build/linux/beckon.1 >"$share/man/man1/beckon.1.gz"
install -D -m 644 build/linux/completions/beckon.bash "$share/bash-completion/completions/beckon"
install -D -m 644 build/linux/completions/beckon.fish "$share/fish/vendor_completions.d/beckon.fish"

install -m 644 build/linux/copyright "$share/doc/beckon/copyright"
gzip -9n <CHANGELOG.md >"$share/doc/beckon/CHANGELOG.md.gz"
gzip -9n >"$share/doc/beckon/changelog.gz" <<END
beckon ($ordered) stable; urgency=medium

  * What is new: /usr/share/doc/beckon/CHANGELOG.md.gz

 -- $maintainer  $(date -R -d "@$SOURCE_DATE_EPOCH")
END
go run -C build/tools ./sbom "$version" ../../build/bin/beckon-window ../.. "../../$out"
install -m 644 "$out/sbom.cdx.json" "$out/third-party-notices.txt" "$share/doc/beckon"
rm "$out/third-party-notices.txt" # the packages have it
install -m 644 build/linux/lintian-overrides "$share/lintian/overrides/beckon"
find "$root" -print0 | xargs -0 touch --no-dereference --date="@$SOURCE_DATE_EPOCH"

sed "s/\${VERSION}/$ordered/; s/\${ARCH}/$arch/; s/\${MTIME}/$mtime/; s/\${GLIBC}/$glibc/; s/\${MAINTAINER}/$maintainer/" build/linux/nfpm.yaml >"$out/nfpm.yaml"
nfpm=(go tool -modfile=build/tools/go.mod nfpm package --config "$out/nfpm.yaml")
deb=beckon_${version}_$arch.deb
"${nfpm[@]}" --packager deb --target "$out/$deb"
"${nfpm[@]}" --packager rpm --target "$out/beckon-$version.$(uname -m).rpm"
# The two programs are much alike, which only a window that holds both sees: it halves
# the package. The members keep the order that dpkg wants.
(
  cd "$out"
  ar x "$deb"
  rm "$deb"
  xz -9 data.tar
  ar rcD "$deb" debian-binary control.tar.gz data.tar.xz
  rm debian-binary control.tar.gz data.tar.xz
)

# The archive has the same below its own folder, and what puts it in its place.
name=beckon-$version-linux-$arch
cp -a "$root/usr" "$out/$name"
rm -r "$out/$name/share/lintian" "$out/$name/share/doc/beckon/changelog.gz"
install -m 755 build/linux/install.sh "$out/$name/install.sh"
install -D -m 644 build/linux/completions/_beckon "$out/$name/share/zsh/site-functions/_beckon"
tar --create --directory "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$name" |
  gzip -9n >"$out/$name.tar.gz"
rm -r "${out:?}/$name" "$out/nfpm.yaml"
build/windows/package.sh
(cd "$out" && sha256sum -- *.deb *.rpm *.tar.gz *.exe *.json >SHA256SUMS && cat SHA256SUMS)
