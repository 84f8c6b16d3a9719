package update

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// TestANewerVersionIsInstalledAsThisOneWas: the notice names the file, and the command
// where one is needed; where nobody knows how this one came, it says neither.
func TestANewerVersionIsInstalledAsThisOneWas(t *testing.T) {
	t.Parallel()
	machine := machines[runtime.GOARCH]
	for name, c := range map[string]struct {
		system, program, beside string
		want                    beckon.ReleaseNotice
	}{
		"deb": {"linux", "usr/lib/beckon/beckon-core", "var/lib/dpkg/info/beckon.list", beckon.ReleaseNotice{
			Way: beckon.InstallPackage, File: "beckon_1.3.0_" + runtime.GOARCH + ".deb", Command: "sudo apt install ./beckon_1.3.0_" + runtime.GOARCH + ".deb",
		}},
		"rpm": {"linux", "usr/lib/beckon/beckon", "usr/lib/sysimage/rpm/rpmdb.sqlite", beckon.ReleaseNotice{
			Way: beckon.InstallPackage, File: "beckon-1.3.0." + machine + ".rpm", Command: "sudo dnf install ./beckon-1.3.0." + machine + ".rpm",
		}},
		"archive": {"linux", "home/ada's/lib/beckon/beckon", "home/ada's/lib/beckon/installed", beckon.ReleaseNotice{
			Way: beckon.InstallArchive, File: "beckon-1.3.0-linux-" + runtime.GOARCH + ".tar.gz", Command: `./install.sh --prefix 'ROOT/home/ada'\''s'`,
		}},
		"installer": {"windows", "Programs/Beckon/beckon.exe", "Programs/Beckon/uninstall.exe", beckon.ReleaseNotice{
			Way: beckon.InstallInstaller, File: "beckon-1.3.0-windows-" + runtime.GOARCH + "-setup.exe",
		}},
		"disk image":                  {"darwin", "Applications/Beckon.app/Contents/MacOS/beckon", "", beckon.ReleaseNotice{Way: beckon.InstallDiskImage, File: "Beckon-1.3.0.dmg"}},
		"sources":                     {"linux", "src/beckon/build/bin/beckon", "var/lib/dpkg/info/beckon.list", beckon.ReleaseNotice{}},
		"sources on a Mac":            {"darwin", "src/beckon/build/bin/beckon", "", beckon.ReleaseNotice{}},
		"sources on Windows":          {"windows", "src/beckon/build/bin/beckon", "", beckon.ReleaseNotice{}},
		"a package of nobody we know": {"linux", "usr/lib/beckon/beckon", "var/lib/pacman/local", beckon.ReleaseNotice{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for _, path := range []string{c.program, c.beside} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if c.beside != "" {
				if err := os.WriteFile(filepath.Join(root, c.beside), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c.want.Version, c.want.Command = "1.3.0", strings.Replace(c.want.Command, "ROOT", root, 1)
			if got := installed(filepath.Join(root, c.program), c.system, root).of(beckon.ReleaseNotice{Version: "1.3.0"}); got != c.want {
				t.Errorf("it says %+v, want %+v", got, c.want)
			}
		})
	}
}
