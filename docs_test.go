package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryTestThatTheDocsNameExists keeps docs/SECURITY.md from promising a
// guard whose test was renamed or removed.
func TestEveryTestThatTheDocsNameExists(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("docs/SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+|[\\w-]+\\.spec\\.ts)`").FindAllStringSubmatch(string(doc), -1)
	if len(named) < 40 {
		t.Fatalf("docs/SECURITY.md names %d tests; the pattern that finds them is wrong", len(named))
	}
	have := testNames(t)
	for _, n := range named {
		if !have[n[1]] {
			t.Errorf("docs/SECURITY.md names %s, which does not exist", n[1])
		}
	}
}

// testNames returns the names of all Go tests and of all Playwright files.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(path, ".git")):
			return fs.SkipDir
		case strings.HasSuffix(path, ".spec.ts"):
			names[d.Name()] = true
		case strings.HasSuffix(path, "_test.go"):
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
				names[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
