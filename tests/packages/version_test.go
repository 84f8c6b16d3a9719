//go:build packages

package packages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVersionsAreOrdered: dpkg and rpm take a release candidate for older than its release,
// and what was built after a tag for newer, so that each is an update of the one before.
func TestVersionsAreOrdered(t *testing.T) {
	t.Parallel()
	before := ""
	for _, v := range versions(t) {
		if v.plain == "1.2.3-rc.2" && v.packaged != "1.2.3~rc.2" {
			t.Errorf("%s is packaged as %s", v.plain, v.packaged)
		}
		if before != "" {
			said(t, "", "dpkg", "--compare-versions", before, "lt", v.packaged)
			if order := said(t, "", "rpm", "--eval", `%{lua: print(rpm.vercmp("`+before+`", "`+v.packaged+`"))}`); order != "-1\n" {
				t.Errorf("rpm orders %s and %s as %q", before, v.packaged, order)
			}
		}
		before = v.packaged
	}
}

// TestPackagesOfAPrerelease have the version that is ordered, as nfpm writes it.
func TestPackagesOfAPrerelease(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"usr/file": "one"})
	description, err := os.ReadFile("../../build/linux/nfpm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	filled := strings.NewReplacer("${VERSION}", "1.2.3~rc.1", "${ARCH}", "amd64", "${MTIME}", "2026-01-02T03:04:05Z", "${GLIBC}", "2.34", "${MAINTAINER}", "Ada <ada@example.org>", "build/out/root/usr", dir+"/usr")
	write(t, dir, map[string]string{"nfpm.yaml": filled.Replace(string(description))})
	for packager, query := range map[string][]string{
		"deb": {"dpkg-deb", "--showformat=${Version}", "--show"},
		"rpm": {"rpm", "--dbpath=" + t.TempDir(), "--query", "--package", "--queryformat", "%{VERSION}"},
	} {
		file := filepath.Join(dir, "beckon."+packager)
		said(t, "../..", "go", "tool", "-modfile=build/tools/go.mod", "nfpm", "package", "--config", filepath.Join(dir, "nfpm.yaml"), "--packager", packager, "--target", file)
		if got := said(t, "", query[0], append(query[1:], file)...); got != "1.2.3~rc.1" {
			t.Errorf("the %s is of %s", packager, got)
		}
	}
}

type versionNames struct{ plain, packaged string }

// versions are those that build/version.sh gives a checkout, from the oldest on: without a
// tag, then at and after those of a candidate, another one, the release and the next.
func versions(t *testing.T) (all []versionNames) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"version.sh", "identity.sh"} {
		text, err := os.ReadFile(filepath.Join("../../build", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, map[string]string{"build/" + name: string(text)})
	}
	git := func(args ...string) {
		t.Helper()
		said(t, dir, "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org"}, args...)...)
	}
	script := func(what string) string {
		t.Helper()
		text, err := exec.CommandContext(t.Context(), "bash", filepath.Join(dir, "build/version.sh"), what).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	git("init", "--quiet")
	git("add", ".")
	for _, tag := range []string{"", "v1.2.3-rc.1", "v1.2.3-rc.2", "v1.2.3", "v1.2.4"} {
		git("commit", "--quiet", "--allow-empty", "--message=one")
		if tag != "" {
			git("tag", tag)
			all = append(all, versionNames{script("version"), script("package")})
			git("commit", "--quiet", "--allow-empty", "--message=two")
		}
		all = append(all, versionNames{script("version"), script("package")})
	}
	return all
}
