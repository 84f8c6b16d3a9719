package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// roomPages returns the pages that say what each package is for.
func roomPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/rooms/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("docs/rooms has the pages %v, %v", pages, err)
	}
	return pages
}

// TestEveryFileThatTheDocsNameExists: a newcomer opens the files that the pages on how
// Beckon is built name.
func TestEveryFileThatTheDocsNameExists(t *testing.T) {
	t.Parallel()
	found := 0
	for _, doc := range append(roomPages(t), "docs/ARCHITECTURE.md", "docs/WALKS.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`([\\w./-]+\\.(?:go|ts|svelte|sh))`").FindAllStringSubmatch(string(text), -1) {
			found++
			below := []string{".", "backend", "frontend/src", "tests", "build"}
			if !slices.ContainsFunc(below, func(dir string) bool {
				_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(m[1])))
				return err == nil
			}) {
				t.Errorf("%s names %s, which does not exist", doc, m[1])
			}
		}
	}
	if found < 20 {
		t.Fatalf("the documents name %d files; the pattern that finds them is wrong", found)
	}
}

// TestEveryPackageIsInARoom: who looks for one finds what it is for.
func TestEveryPackageIsInARoom(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	for _, page := range roomPages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "| `") {
				rows.WriteString(strings.SplitN(line, "|", 3)[1])
			}
		}
	}
	for name := range packages(t) {
		if !strings.Contains(rows.String(), "`"+name+"`") {
			t.Errorf("no page of docs/rooms has the package %s", name)
		}
	}
}

// TestEveryMeasureIsExplained: who reads a figure of the bench finds what it leaves out.
func TestEveryMeasureIsExplained(t *testing.T) {
	t.Parallel()
	measures, err := os.ReadFile("tests/bench/main.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("docs/PERFORMANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\{name: "(\w+)"`).FindAllSubmatch(measures, -1)
	if len(named) < 20 {
		t.Fatalf("tests/bench/main.go has %d measures; the pattern that finds them is wrong", len(named))
	}
	for _, m := range named {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + string(m[1]) + "`").Match(doc) {
			t.Errorf("docs/PERFORMANCE.md does not explain the measure %s", m[1])
		}
	}
}
