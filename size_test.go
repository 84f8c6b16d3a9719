package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostLines is how many lines a package may have, tests left out: more than
// that, nobody holds in their head.
const mostLines = 2500

// larger are the packages that may be larger, how large, and why. Remove one
// that is no longer larger.
var larger = map[string]struct {
	most int
	why  string
}{
	"claude/scripted": {3350, "a fixture: the verbs of its scripts, one after the other"},
	"runner":          {3440, "the state machine of a live run stays together; about 3,000 is the aim"},
}

// TestPackageSizes keeps packages small enough to be read in one sitting.
func TestPackageSizes(t *testing.T) {
	sizes := map[string]int{}
	err := filepath.WalkDir("backend", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sizes[strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "backend/")] += bytes.Count(text, []byte("\n"))
		return err
	})
	if err != nil || len(sizes) < 50 {
		t.Fatalf("%d packages, %v", len(sizes), err)
	}
	for name, lines := range sizes {
		allowed, excepted := larger[name]
		switch {
		case excepted && lines <= mostLines:
			t.Errorf("%s has %d lines and needs no exception any more", name, lines)
		case excepted && lines > allowed.most:
			t.Errorf("%s has %d lines, more than the %d it may have as %s", name, lines, allowed.most, allowed.why)
		case !excepted && lines > mostLines:
			t.Errorf("%s has %d lines, more than %d: find the seam", name, lines, mostLines)
		}
	}
	for name := range larger {
		if sizes[name] == 0 {
			t.Errorf("%s is excepted and is no package", name)
		}
	}
}

// TestFunctionSizes keeps functions small enough to be taken in at a glance,
// those of the tests' own programs included. A test tells a story, and may be
// longer; what is generated is not read.
func TestFunctionSizes(t *testing.T) {
	var lines []int
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil || ast.IsGenerated(f) {
			return err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				n := files.Position(d.End()).Line - files.Position(d.Pos()).Line + 1
				if lines = append(lines, n); n > 80 {
					t.Errorf("%s has %d lines, more than 80", d.Name, n)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	median, p95 := lines[len(lines)/2], lines[len(lines)*95/100]
	if median > 10 || p95 > 30 {
		t.Errorf("of %d functions the median has %d lines and the 95th of a hundred %d, more than 10 and 30", len(lines), median, p95)
	}
}
