//go:build packages

// Package packages tries what build/package.sh made: build/out has to be there.
package packages

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

const out = "../../build/out"

// one returns the only file in build/out with such a name.
func one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(out, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v; make package makes it", pattern, found, err)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func said(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, text)
	}
	return string(text)
}

// files are all files and links below a folder, by their paths there.
func files(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		all = append(all, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// install puts the .deb into a folder of its own, as dpkg does, and returns that.
func install(t *testing.T) string {
	t.Helper()
	root := newRoot(t)
	dpkg(t, root, "--install", one(t, "*.deb"))
	return root
}

// newRoot returns a folder that dpkg takes for a system without any package.
func newRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	admin := filepath.Join(root, "var/lib/dpkg")
	for _, dir := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(admin, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(admin, "status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

// dpkg runs dpkg on a root folder, which has none of the packages that Beckon needs.
func dpkg(t *testing.T, root string, args ...string) {
	t.Helper()
	said(t, root, "unshare", append([]string{"--map-root-user", "dpkg", "--root=" + root, "--force-depends", "--force-not-root", "--log=/dev/null"}, args...)...)
}

var want = []string{
	"usr/bin/beckon",
	"usr/lib/beckon/beckon",
	"usr/lib/beckon/beckon-window",
	"usr/share/applications/beckon.desktop",
	"usr/share/bash-completion/completions/beckon",
	"usr/share/doc/beckon/CHANGELOG.md.gz",
	"usr/share/doc/beckon/changelog.gz",
	"usr/share/doc/beckon/copyright",
	"usr/share/doc/beckon/sbom.cdx.json",
	"usr/share/doc/beckon/third-party-notices.txt",
	"usr/share/fish/vendor_completions.d/beckon.fish",
	"usr/share/icons/hicolor/128x128/apps/beckon.png",
	"usr/share/icons/hicolor/16x16/apps/beckon.png",
	"usr/share/icons/hicolor/24x24/apps/beckon.png",
	"usr/share/icons/hicolor/256x256/apps/beckon.png",
	"usr/share/icons/hicolor/32x32/apps/beckon.png",
	"usr/share/icons/hicolor/48x48/apps/beckon.png",
	"usr/share/icons/hicolor/512x512/apps/beckon.png",
	"usr/share/icons/hicolor/64x64/apps/beckon.png",
	"usr/share/icons/hicolor/scalable/apps/beckon.svg",
	"usr/share/icons/hicolor/symbolic/apps/beckon-symbolic.svg",
	"usr/share/lintian/overrides/beckon",
	"usr/share/man/man1/beckon.1.gz",
	"usr/share/metainfo/dev.beckon.beckon.metainfo.xml",
	"usr/share/zsh/vendor-completions/_beckon",
}

// version is what the installed program says it is.
func version(t *testing.T, program string) string {
	t.Helper()
	return versionIn(t, said(t, "", program, "version"))
}

// versionIn is the version in what `beckon version` says, with the commit that the packages
// are made of, and the day of that.
func versionIn(t *testing.T, text string) string {
	t.Helper()
	fields := strings.Fields(text)
	of := strings.Fields(said(t, "../..", "env", "TZ=UTC", "git", "log", "-1", "--abbrev=10", "--format=%h %cd", "--date=format-local:%Y-%m-%d"))
	if len(fields) != 4 || fields[0] != "beckon" || !slices.Equal(fields[2:], of) {
		t.Fatalf("it says %q; the last commit is %q", fields, of)
	}
	return fields[1]
}

// TestDebIsInstalledAndRemoved: all files are where they belong and are those that the
// package lists sums of; the program there is the version of the package; once it is
// removed, nothing is left but what the user has.
func TestDebIsInstalledAndRemoved(t *testing.T) {
	t.Parallel()
	deb := one(t, "*.deb")
	if info, err := os.Stat(deb); err != nil || info.Size() > 15<<20 {
		t.Errorf("%d bytes, %v; 15 MB is the limit", info.Size(), err)
	}
	root := install(t)
	var have []string
	for _, name := range files(t, root) {
		if !strings.HasPrefix(name, "var/lib/dpkg/") {
			have = append(have, name)
		}
	}
	if !slices.Equal(have, want) {
		t.Errorf("it installs\n%s", strings.Join(have, "\n"))
	}
	said(t, root, "md5sum", "--check", "--strict", "--quiet", filepath.Join(root, "var/lib/dpkg/info/beckon.md5sums"))
	depends := said(t, "", "dpkg-deb", "--field", deb, "Depends")
	if !regexp.MustCompile(`^libc6 \(>= 2\.\d+\), libgtk-3-0 \| libgtk-3-0t64, libwebkit2gtk-4\.1-0, git \(>= 1:2\.38\)\n$`).MatchString(depends) {
		t.Errorf("it depends on %q", depends)
	}
	of := strings.TrimSpace(said(t, "", "dpkg-deb", "--field", deb, "Version"))
	if v := version(t, filepath.Join(root, "usr/bin/beckon")); strings.Replace(v, "-", "~", 1) != of {
		t.Errorf("%s is installed by a package of %s", v, of)
	}

	data := filepath.Join(root, "home/.local/share/beckon")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "beckon.db"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	dpkg(t, root, "--purge", "beckon")
	left := slices.DeleteFunc(files(t, root), func(name string) bool { return strings.HasPrefix(name, "var/lib/dpkg/") })
	if !slices.Equal(left, []string{"home/.local/share/beckon/beckon.db"}) {
		t.Errorf("it leaves %q", left)
	}
	if _, err := os.Stat(filepath.Join(root, "usr")); !os.IsNotExist(err) {
		t.Errorf("it leaves folders: %v", err)
	}
}

// TestInstalledProgramDoesTheMainJob: a task is asked about, answered and committed by
// what the package installed, and the data is there after the next start.
func TestInstalledProgramDoesTheMainJob(t *testing.T) {
	t.Parallel()
	home := client.NewHome(t, filepath.Join(install(t), "usr/bin/beckon"), "-- script --\nask Which side? | Left | Right\nwrite side.txt ${answer}\ntext Done.\n")
	repo := client.Repository(t, map[string]string{"README.md": "# sample\n"})
	p := home.Serve()
	project := client.Must[beckon.Project](p, "AddProject", beckon.NewProject{Dir: repo, Name: "sample", Key: "PKG", Base: "main", Trusted: true})
	task := client.Must[beckon.Task](p, "CreateTask", beckon.NewTask{ProjectID: project.ID, Title: "Choose", Status: beckon.Queued, Policy: beckon.Wait})
	p.Answer(p.Asked(task.ID, "Which side?"), "Right")
	branch := p.InReview(task.ID).Branch
	if text := client.Git(t, repo, "show", branch+":side.txt"); text != "Right" {
		t.Errorf("the agent wrote %q", text)
	}
	p.Close()
	if again := home.Serve().Task(task.ID); again.Status != beckon.Review || again.Branch != branch {
		t.Errorf("after a restart it is %+v", again)
	}
}

// TestInstalledWithoutClaude: it starts all the same, and knows what is missing, which its
// first page says.
func TestInstalledWithoutClaude(t *testing.T) {
	t.Parallel()
	home := client.NewHome(t, filepath.Join(install(t), "usr/bin/beckon"), "")
	p := client.Serve(t, home.Bin, home.Env("PATH=/usr/bin:/bin"), "-data", home.Data())
	if about := client.Must[beckon.About](p, "About"); about.ClaudeTrouble != beckon.ClaudeMissing || about.GitVersion == "" || about.Build.Commit == "" || about.Build.Date == "" || !strings.HasSuffix(about.Build.Notices, "/usr/share/doc/beckon/third-party-notices.txt") {
		t.Errorf("it found %+v", about)
	}
}

// inRPM are the files where Fedora has them: its zsh reads another folder.
func inRPM(files []string) (there []string) {
	for _, name := range files {
		there = append(there, strings.Replace(name, "zsh/vendor-completions", "zsh/site-functions", 1))
	}
	slices.Sort(there)
	return there
}

// TestRPMHasTheSameFiles as the .deb.
func TestRPMHasTheSameFiles(t *testing.T) {
	t.Parallel()
	rpm := one(t, "*.rpm")
	database := "--dbpath=" + t.TempDir()
	said(t, "", "rpm", database, "--checksig", rpm)
	var have []string
	for line := range strings.Lines(said(t, "", "rpm", database, "--query", "--package", "--queryformat", "[%{FILEMODES:perms} %{FILENAMES}\n]", rpm)) {
		mode, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if mode[0] != 'd' {
			have = append(have, strings.TrimPrefix(name, "/"))
		}
	}
	slices.Sort(have)
	if want := inRPM(want); !slices.Equal(have, want) {
		t.Errorf("it has\n%s", strings.Join(have, "\n"))
	}
	needs := said(t, "", "rpm", database, "--query", "--package", "--requires", rpm)
	for _, name := range []string{"gtk3", "webkit2gtk4.1", "git-core >= 2.38"} {
		if !slices.Contains(strings.Split(needs, "\n"), name) {
			t.Errorf("it needs\n%s", needs)
		}
	}
	if scripts := said(t, "", "rpm", database, "--query", "--package", "--scripts", rpm); scripts != "" {
		t.Errorf("it runs %s", scripts)
	}
}

// TestRPMIsLinted: nfpm writes the names of files from the root, where rpmlint's cpio
// would put them.
func TestRPMIsLinted(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	cpio := "#!/bin/sh\nexec /usr/bin/cpio --no-absolute-filenames \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "cpio"), []byte(cpio), 0o700); err != nil {
		t.Fatal(err)
	}
	says := said(t, "../..", "env", "PATH="+bin+":"+os.Getenv("PATH"), "rpmlint", "--config", "build/linux/rpmlint.toml", "build/out/"+filepath.Base(one(t, "*.rpm")))
	if !strings.Contains(says, " 0 errors, 0 warnings,") {
		t.Error(says)
	}
}

// TestRPMIsInstalledAndRemoved: rpm puts into a folder of its own what dpkg puts there, and
// takes it away.
func TestRPMIsInstalledAndRemoved(t *testing.T) {
	t.Parallel()
	root, deb := t.TempDir(), install(t)
	rpm := func(args ...string) {
		t.Helper()
		said(t, root, "unshare", append([]string{"--map-root-user", "rpm", "--root=" + root, "--dbpath=/var/lib/rpm", "--nodeps"}, args...)...)
	}
	rpm("--install", one(t, "*.rpm"))
	for _, name := range want {
		have, err := os.ReadFile(filepath.Join(root, inRPM([]string{name})[0]))
		if err != nil {
			t.Fatal(err)
		}
		if same, err := os.ReadFile(filepath.Join(deb, name)); err != nil || !bytes.Equal(have, same) {
			t.Errorf("%s is another, %v", name, err)
		}
	}
	rpm("--erase", "beckon")
	if left := slices.DeleteFunc(files(t, root), func(name string) bool { return strings.HasPrefix(name, "var/lib/rpm/") }); len(left) > 0 {
		t.Errorf("it leaves %q", left)
	}
}

// TestArchiveIsInstalledAnywhere: also where the path needs quotes; a second install
// replaces the first with all its files, and removing leaves nothing.
func TestArchiveIsInstalledAnywhere(t *testing.T) {
	t.Parallel()
	from, home := t.TempDir(), t.TempDir()
	said(t, from, "tar", "--extract", "--strip-components=1", "--file", one(t, "*.tar.gz"))
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(from, "install.sh"), args...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	if text, err := run("--remove"); err == nil || !strings.Contains(text, "nothing was changed") {
		t.Errorf("it removes what is not there: %q, %v", text, err)
	}
	prefix := filepath.Join(home, `für mich "$x" 100%`)
	for range 2 {
		if text, err := run("--prefix", prefix); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		program := filepath.Join(prefix, "bin/beckon")
		if v := version(t, program); !strings.Contains(one(t, "*.tar.gz"), v) {
			t.Errorf("it is %s", v)
		}
		entry := filepath.Join(prefix, "share/applications/beckon.desktop")
		said(t, "", "desktop-file-validate", entry)
		text, err := os.ReadFile(entry)
		line := `Exec="` + filepath.Join(home, `für mich \\"\\$x\\" 100%%`) + `/bin/beckon" %u` + "\n"
		if err != nil || !strings.Contains(string(text), line) {
			t.Errorf("%v; the entry is %s", err, text)
		}
		if links, err := os.ReadFile(filepath.Join(prefix, "share/applications/mimeinfo.cache")); err != nil || !strings.Contains(string(links), "\nx-scheme-handler/beckon=beckon.desktop;\n") {
			t.Errorf("the desktop knows of the links %q, %v", links, err)
		}
		if _, err := os.Stat(filepath.Join(prefix, "share/zsh/site-functions/_beckon")); err != nil {
			t.Errorf("zsh completes nothing: %v", err)
		}
		// A file of an older version goes with it.
		old := filepath.Join(prefix, "lib/beckon/old")
		list, err := os.OpenFile(filepath.Join(prefix, "lib/beckon/installed"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintln(list, "lib/beckon/old"); err != nil || list.Close() != nil || os.WriteFile(old, nil, 0o600) != nil {
			t.Fatal("the list is not written")
		}
	}
	if text, err := run("--prefix", prefix, "--remove"); err != nil || !strings.Contains(text, "Your data stays in "+home+"/.local/share/beckon") {
		t.Fatalf("%v: %s", err, text)
	}
	if left := files(t, home); len(left) > 0 {
		t.Errorf("it leaves %q", left)
	}
	if left, err := os.ReadDir(prefix); err != nil || len(left) > 0 {
		t.Errorf("it leaves the folders %v, %v", left, err)
	}
}

// TestProgramsAreHardened: at a random address, with read-only tables, without a path
// to libraries and without the folder that they were built in.
func TestProgramsAreHardened(t *testing.T) {
	t.Parallel()
	lib := filepath.Join(out, "root/usr/lib/beckon")
	window, err := elf.Open(filepath.Join(lib, "beckon-window"))
	if err != nil {
		t.Fatal(err)
	}
	defer window.Close()
	flags, _ := window.DynValue(elf.DT_FLAGS_1)
	if window.Type != elf.ET_DYN || len(flags) != 1 || elf.DynFlag1(flags[0])&(elf.DF_1_NOW|elf.DF_1_PIE) != elf.DF_1_NOW|elf.DF_1_PIE {
		t.Errorf("it is of type %v with flags %v", window.Type, flags)
	}
	if !slices.ContainsFunc(window.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_GNU_RELRO }) {
		t.Error("its tables can be written to")
	}
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		if path, _ := window.DynString(tag); len(path) > 0 {
			t.Errorf("it looks for libraries in %q", path)
		}
	}
	libraries, err := window.ImportedLibraries()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(libraries)
	if want := []string{"libc.so.6", "libgdk-3.so.0", "libgdk_pixbuf-2.0.so.0", "libgio-2.0.so.0", "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgtk-3.so.0", "libjavascriptcoregtk-4.1.so.0", "libsoup-3.0.so.0", "libwebkit2gtk-4.1.so.0"}; !slices.Equal(libraries, want) {
		t.Errorf("it needs %q", libraries)
	}
	core, err := elf.Open(filepath.Join(lib, "beckon"))
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	if needs, err := core.ImportedLibraries(); err != nil || len(needs) > 0 {
		t.Errorf("beckon needs %q, %v", needs, err)
	}
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"beckon", "beckon-window"} {
		text, err := os.ReadFile(filepath.Join(lib, name))
		if err != nil || strings.Contains(string(text), here+"/") {
			t.Errorf("%s has the path that it was built in, or %v", name, err)
		}
	}
}

// TestProgramsRunOnOlderSystems, as old as Ubuntu 22.04, when they are to be released: a
// build is of the system that it was made on.
func TestProgramsRunOnOlderSystems(t *testing.T) {
	t.Parallel()
	if os.Getenv("BECKON_RELEASE") == "" {
		t.Skip("build/release.sh try asks for it")
	}
	window, err := elf.Open(filepath.Join(out, "root/usr/lib/beckon/beckon-window"))
	if err != nil {
		t.Fatal(err)
	}
	defer window.Close()
	symbols, err := window.ImportedSymbols()
	if err != nil || len(symbols) == 0 {
		t.Fatalf("%d symbols, %v", len(symbols), err)
	}
	for _, s := range symbols {
		if minor, is := strings.CutPrefix(s.Version, "GLIBC_2."); is {
			if n, _ := strconv.ParseFloat(minor, 64); n > 35 {
				t.Errorf("%s needs %s", s.Name, s.Version)
			}
		}
	}
}

// TestDesktopFiles: the judges of the formats find nothing, and each icon has its size.
func TestDesktopFiles(t *testing.T) {
	t.Parallel()
	share := filepath.Join(out, "root/usr/share")
	said(t, "", "lintian", "--fail-on", "error,warning", "--allow-root", one(t, "*.deb"))
	said(t, "", "desktop-file-validate", filepath.Join(share, "applications/beckon.desktop"))
	said(t, "", "appstreamcli", "validate", "--no-net", "--pedantic", filepath.Join(share, "metainfo/dev.beckon.beckon.metainfo.xml"))
	for _, size := range []int{16, 24, 32, 48, 64, 128, 256, 512} {
		f, err := os.Open(filepath.Join(share, fmt.Sprintf("icons/hicolor/%dx%d/apps/beckon.png", size, size)))
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(f)
		if err != nil || config.Width != size || config.Height != size || f.Close() != nil {
			t.Errorf("%d: it is %dx%d, %v", size, config.Width, config.Height, err)
		}
	}
	symbolic, err := os.ReadFile(filepath.Join(share, "icons/hicolor/symbolic/apps/beckon-symbolic.svg"))
	colours := regexp.MustCompile(`#[0-9a-f]{6}`).FindAllString(string(symbolic), -1)
	slices.Sort(colours)
	if err != nil || len(slices.Compact(colours)) != 1 {
		t.Errorf("the symbolic icon has the colours %q, %v", colours, err)
	}
}

// TestManualAndCompletionsKnowTheProgram: what -help lists is in the manual, and each
// shell takes its file and offers the commands.
func TestManualAndCompletionsKnowTheProgram(t *testing.T) {
	t.Parallel()
	program := filepath.Join(out, "root/usr/lib/beckon/beckon")
	help := said(t, "", program, "-help")
	linux := "../../build/linux"
	if warned := said(t, linux, "man", "--warnings", "--local-file", "beckon.1"); !strings.Contains(warned, "BECKON(1)") {
		t.Errorf("the manual is %q", warned)
	}
	names := regexp.MustCompile(`(?m)^  (?:beckon )?(-?[a-z]+)`).FindAllStringSubmatch(help, -1)
	if len(names) < 12 {
		t.Fatalf("the help has %d names", len(names))
	}
	for _, name := range names {
		word := name[1]
		if word == "beckon" || word == "started" || word == "-guest" { // the program itself, a line that goes on, and what Beckon starts itself with
			continue
		}
		for file, form := range map[string]string{"beckon.1": strings.ReplaceAll(word, "-", `\-`), "completions/beckon.bash": word, "completions/_beckon": word, "completions/beckon.fish": strings.TrimPrefix(word, "-")} {
			text, err := os.ReadFile(filepath.Join(linux, file))
			if err != nil || !regexp.MustCompile(regexp.QuoteMeta(form)+`\b`).Match(text) {
				t.Errorf("%s does not know %s, %v", file, word, err)
			}
		}
	}
	got := said(t, linux, "bash", "-c", `. completions/beckon.bash; COMP_WORDS=(beckon h) COMP_CWORD=1; cd /; _beckon; echo "${COMPREPLY[@]}"; COMP_WORDS=(beckon hooks i) COMP_CWORD=2; _beckon; echo "${COMPREPLY[@]}"; COMP_WORDS=(beckon serve -p) COMP_CWORD=2; _beckon; echo "${COMPREPLY[@]}"`)
	if !regexp.MustCompile(`^hooks( home)?\ninstall\n-public\n$`).MatchString(got) {
		t.Errorf("bash offers %q", got)
	}
	said(t, linux, "zsh", "-n", "completions/_beckon")
	got = said(t, linux, "fish", "--no-config", "-c", `source completions/beckon.fish; complete -C 'beckon hooks i'; complete -C 'beckon serve -publ'`)
	if got != "install\n-public\twhere it listens for phones\n" {
		t.Errorf("fish offers %q", got)
	}
}

// TestScriptsAreSound, as far as shellcheck sees.
func TestScriptsAreSound(t *testing.T) {
	t.Parallel()
	var scripts []string
	for _, pattern := range []string{"*.sh", "*/*.sh"} {
		found, err := filepath.Glob(filepath.Join("../../build", pattern))
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, found...)
	}
	if len(scripts) < 15 {
		t.Fatalf("there are only %q", scripts)
	}
	said(t, "", "shellcheck", append([]string{"--severity=warning"}, scripts...)...)
}

// TestChangesAreCutOnce: what is unreleased becomes a version's, and is printed for it.
func TestChangesAreCutOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "CHANGELOG.md")
	if err := os.WriteFile(file, []byte("# Changelog\n\n## Unreleased\n\n- New: one\n  and more.\n\n## 1.2.2 (2026-01-02)\n\n- Old.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cut := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "../../build/changelog.sh", args...)
		cmd.Env = append(os.Environ(), "BECKON_CHANGELOG="+file)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	for _, no := range []string{"1.2.2", "v1.2.3", "next", "1.2"} {
		if text, err := cut("cut", no); err == nil || !strings.Contains(text, "nothing was changed") {
			t.Errorf("%s is cut: %s", no, text)
		}
	}
	if text, err := cut("cut", "1.2.3"); err != nil || text != "" {
		t.Fatalf("%v: %s", err, text)
	}
	for version, want := range map[string]string{"1.2.3": "- New: one\n  and more.\n", "1.2.2": "- Old.\n"} {
		if text, err := cut(version); err != nil || text != want {
			t.Errorf("of %s it says %q, %v", version, text, err)
		}
	}
	if text, err := cut("cut", "1.2.4"); err == nil || !strings.Contains(text, "nothing is unreleased") {
		t.Errorf("nothing is cut: %s", text)
	}
	if text, err := cut("1.2.4"); err == nil {
		t.Errorf("of a version that there is not it says %q", text)
	}
}

// TestMacPackage: what a Mac would be asked to do, which no test can run here, and the
// files that it takes.
func TestMacPackage(t *testing.T) {
	t.Parallel()
	darwin := "../../build/darwin"
	for file, env := range map[string][]string{
		"darwin-signed.txt":   {"BECKON_VERSION=1.2.3", "BECKON_IDENTITY=Developer ID Application: Ada (TEAM)", "BECKON_NOTARY=profile"},
		"darwin-unsigned.txt": {"BECKON_VERSION=1.3.0-rc.1+5.g0123456"},
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(darwin, "package.sh"), "-n")
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "BECKON_LDFLAGS=-X main.version=of-the-test"}, env...)
		got, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %v; it would run\n%s", file, err, got)
		}
	}
	for _, name := range []string{"Info.plist", "entitlements.plist"} {
		if binary := said(t, "", "plistutil", "-i", filepath.Join(darwin, name)); !strings.HasPrefix(binary, "bplist") {
			t.Errorf("%s: it reads %q", name, binary)
		}
	}
	text, err := os.ReadFile(filepath.Join(darwin, "Info.plist"))
	if err != nil {
		t.Fatal(err)
	}
	info := regexp.MustCompile(`>\s+<`).ReplaceAllString(string(text), "><")
	for key, value := range map[string]string{
		"CFBundleIdentifier": "<string>dev.beckon.beckon</string>", "CFBundleExecutable": "<string>beckon</string>", "CFBundleIconFile": "<string>Beckon</string>",
		"CFBundleShortVersionString": "<string>@SHORT@</string>", "CFBundleVersion": "<string>@BUILD@</string>", "LSMinimumSystemVersion": "<string>12.0</string>",
		"CFBundleLocalizations": "<array><string>en</string><string>de</string></array>", "CFBundleURLSchemes": "<array><string>beckon</string></array>",
	} {
		if !strings.Contains(info, "<key>"+key+"</key>"+value) {
			t.Errorf("%s is not %s in %s", key, value, info)
		}
	}
	icon, err := os.ReadFile(filepath.Join(darwin, "Beckon.icns"))
	if err != nil || !bytes.HasPrefix(icon, []byte("icns")) || int(binary.BigEndian.Uint32(icon[4:])) != len(icon) {
		t.Fatalf("the icon has %d bytes, %v", len(icon), err)
	}
	for _, size := range []string{"is32", "il32", "ih32", "it32", "ic08", "ic09"} {
		if !bytes.Contains(icon, []byte(size)) {
			t.Errorf("the icon has no %s", size)
		}
	}
}

// TestSums: the list has all files, with their sums.
func TestSums(t *testing.T) {
	t.Parallel()
	said(t, out, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	text, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil || strings.Count(string(text), "\n") != 5 {
		t.Errorf("it is %s, %v", text, err)
	}
}
