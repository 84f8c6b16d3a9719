package update

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"beckon/backend/beckon"
)

// Installation is how this program came to where it is; the zero value is one of which
// that is unknown.
type Installation struct {
	way    beckon.InstallWay
	rpm    bool   // else a package is a .deb
	prefix string // below which an archive was installed
}

// Installed looks at what is beside the program and at what the system's package
// managers have. It starts nothing.
func Installed() Installation {
	program, err := os.Executable()
	if err != nil {
		return Installation{}
	}
	return installed(program, runtime.GOOS, "/")
}

// installed is Installed of a program on a system whose files are below root.
func installed(program, system, root string) Installation {
	dir := filepath.Dir(program)
	is := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	switch {
	case system == "windows" && is(filepath.Join(dir, "uninstall.exe")):
		return Installation{way: beckon.InstallInstaller}
	case system == "darwin" && strings.HasSuffix(filepath.ToSlash(dir), ".app/Contents/MacOS"):
		return Installation{way: beckon.InstallDiskImage}
	case system != "linux":
		return Installation{}
	case is(filepath.Join(dir, "installed")): // the list of build/linux/install.sh
		return Installation{way: beckon.InstallArchive, prefix: filepath.Dir(filepath.Dir(dir))}
	case dir != filepath.Join(root, "usr/lib/beckon"):
		return Installation{}
	case is(filepath.Join(root, "var/lib/dpkg/info/beckon.list")):
		return Installation{way: beckon.InstallPackage}
	case is(filepath.Join(root, "usr/lib/sysimage/rpm")) || is(filepath.Join(root, "var/lib/rpm")):
		return Installation{way: beckon.InstallPackage, rpm: true}
	}
	return Installation{}
}

// machines are the names that rpm has for what Go calls otherwise.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// of returns a notice with the file that its version is installed from the same way, as
// build/package.sh names it, and the command for it.
func (i Installation) of(n beckon.ReleaseNotice) beckon.ReleaseNotice {
	n.Way = i.way
	switch {
	case i.way == beckon.InstallPackage && i.rpm:
		n.File = "beckon-" + n.Version + "." + machines[runtime.GOARCH] + ".rpm"
		n.Command = "sudo dnf install ./" + n.File
	case i.way == beckon.InstallPackage:
		n.File = "beckon_" + n.Version + "_" + runtime.GOARCH + ".deb"
		n.Command = "sudo apt install ./" + n.File
	case i.way == beckon.InstallArchive:
		n.File = "beckon-" + n.Version + "-linux-" + runtime.GOARCH + ".tar.gz"
		n.Command = "./install.sh --prefix " + quoted(i.prefix)
	case i.way == beckon.InstallInstaller:
		n.File = "beckon-" + n.Version + "-windows-" + runtime.GOARCH + "-setup.exe"
	case i.way == beckon.InstallDiskImage:
		n.File = "Beckon-" + n.Version + ".dmg"
	}
	return n
}

// quoted is a path as one word of a shell.
func quoted(path string) string {
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
